// A model over HTTP that knows one city.
require('http')
  .createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ output: 'Paris' }));
  })
  .listen(18099, '127.0.0.1');
