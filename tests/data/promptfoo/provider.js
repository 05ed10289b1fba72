// A model that needs no network: it answers by turns, and every second answer about Mars is an error.
const calls = {};
module.exports = class {
  constructor(options) {
    this.config = options.config || {};
  }
  id() {
    return this.config.name;
  }
  async callApi(prompt) {
    const key = this.id() + prompt;
    calls[key] = (calls[key] || 0) + 1;
    if (prompt.includes('Mars') && calls[key] % 2 === 0) return { error: 'the model is out' };
    if (prompt.includes('France')) return { output: calls[key] % 2 ? 'Paris' : 'Lyon' };
    return { output: 'no idea' };
  }
};
