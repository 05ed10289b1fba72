// Keeps a page current: the server says that something has changed, and sends the new markup of the
// part that is live. What is the same stays as it is, so focus, scrolling and open details do too.
"use strict";
(() => {
  const SOON = 1000;
  const SLOW = 5000;    // between two questions, where no stream says what has changed
  const AGAIN = 15000;  // after which a stream that was refused is tried again
  const QUIET = 15000;  // after which a stream that says nothing counts as gone: it has a heartbeat
  const DEAD = 60000;   // after which it is opened anew
  const LONG = 30000;   // after which a question counts as not answered
  const part = document.getElementById("live");
  const sign = document.querySelector("[data-live]");
  tellTimes();
  setInterval(tellTimes, 5000);
  if (!part || !sign) return;

  const text = sign.querySelector("[data-live-text]");
  const button = sign.querySelector("[data-live-button]");
  const noted = document.querySelector("[data-notice]");
  const announced = document.querySelector("[data-announced]");
  const every = Number(part.dataset.every || 0) * 1000;
  let tag = null, busy = false, due = false, held = false, source = null, last = 0, wanted = null;
  let heard = 0, opened = 0, ended = false;
  say("Connecting", "");
  sign.hidden = false;

  button.addEventListener("click", () => {
    held = !held;
    button.setAttribute("aria-pressed", String(held));
    if (held) say("Held still", "");
    else update();
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden && due) update(); });

  if (sign.dataset.events && "EventSource" in window) listen();
  setTimeout(ask, SOON);
  const timer = setInterval(ask, every || SLOW);

  function say(words, state) {
    if (text.textContent !== words) text.textContent = words;
    sign.className = "live " + state;
  }

  // A stream may be held back or cut off on its way, and nobody says so. What counts is what comes.
  function listen() {
    if (ended) return;
    opened = Date.now();
    source = new EventSource(sign.dataset.events);
    source.onmessage = (event) => { hear(); wanted = event.data; if (isBehind()) update(); };
    source.addEventListener("beat", hear);
    source.onerror = () => {
      heard = 0;
      update();
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN);
    };
  }

  function hear() {
    heard = Date.now();
    if (!held) say("Live", "on");
  }

  // Asks whether something has changed, unless a stream would have said so.
  function ask() {
    if (Date.now() - heard < QUIET) return;
    update();
    if (source && source.readyState !== EventSource.CLOSED && Date.now() - Math.max(heard, opened) > DEAD) {
      source.close();
      listen();
    }
  }

  function isBehind() {
    return wanted !== null && wanted !== part.dataset.version;
  }

  async function update() {
    if (held || document.hidden || busy) { due = true; return; }
    busy = true;
    due = false;
    try {
      await new Promise((done) => setTimeout(done, Math.max(0, last + 900 - Date.now())));
      last = Date.now();
      const address = new URL(location.href);
      address.searchParams.set("part", "1");
      address.searchParams.delete("done");
      address.hash = "";
      const headers = tag ? { "If-None-Match": tag } : {};
      const answer = await fetch(address, { headers, signal: AbortSignal.timeout(LONG) });
      note(answer.headers.get("Goodarm-Notice") || "");
      if (answer.status === 401 || answer.status === 404) { end(answer.status); return; }
      if (answer.status === 200) {
        tag = answer.headers.get("ETag");
        const found = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = found.getElementById("live");
        if (fresh && !held) {
          announce(fresh);
          merge(part, fresh);
          tellTimes();
        }
      }
      if (answer.status !== 200 && answer.status !== 304) throw new Error(answer.statusText);
      if (!held) say("Live", "on");
    } catch {
      if (!held) say("Connecting again", "off");
    } finally {
      busy = false;
      if (due && !held) update();
      else if (isBehind()) setTimeout(update, SOON);  // many arms are not looked at all the time
    }
  }

  function note(words) {
    if (noted.textContent !== words) noted.textContent = words;
    noted.hidden = !words;
  }

  function end(status) {
    if (source) source.close();
    clearInterval(timer);
    held = ended = true;
    button.hidden = true;
    say(status === 401 ? "The session has ended: load the page to log in" : "It is not there any more", "off");
    announced.textContent = text.textContent;
  }

  function announce(fresh) {
    const news = [...fresh.querySelectorAll("[data-announce]")].filter((each) => !document.getElementById(each.id));
    const words = news.slice(0, 3).map((each) => each.dataset.announce);
    if (news.length > 3) words.push(`and ${news.length - 3} more labels`);
    if (words.length) announced.textContent = words.join(", ");
  }

  // Makes the old tree like the new one, keeping elements that have the same id, or place and name.
  function merge(old, fresh) {
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
    }
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    const byId = new Map([...old.children].filter((each) => each.id).map((each) => [each.id, each]));
    let at = old.firstChild;
    for (const next of [...fresh.childNodes]) {
      const named = next.id ? byId.get(next.id) : null;
      const same = named || (at && !at.id && !next.id && at.nodeName === next.nodeName ? at : null);
      if (!same) {
        old.insertBefore(document.importNode(next, true), at);
        continue;
      }
      if (same !== at) old.insertBefore(same, at); else at = at.nextSibling;
      if (same.nodeType === Node.ELEMENT_NODE) {
        if (same !== document.activeElement || !("value" in same)) merge(same, next);
      } else if (same.nodeValue !== next.nodeValue) {
        same.nodeValue = next.nodeValue;
      }
    }
    while (at) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
  }

  // What the server calls "3 min ago" was that when it said so.
  function tellTimes() {
    for (const each of document.querySelectorAll("time[data-ago]")) {
      const passed = (Date.now() - Date.parse(each.dateTime)) / 1000;
      let words = new Date(each.dateTime).toLocaleString();
      if (passed < 60) words = "just now";
      else if (passed < 3600) words = `${Math.floor(passed / 60)} min ago`;
      else if (passed < 86400) words = `${Math.floor(passed / 3600)} h ago`;
      if (each.textContent !== words) each.textContent = words;
    }
  }
})();
