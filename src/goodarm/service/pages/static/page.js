// Keeps a page current: fetches the live part again when the server reports a change. Elements that
// did not change stay in place, and so do focus, scrolling and open details.
"use strict";
(() => {
  const FIRST_POLL_MS = 1000;
  const POLL_MS = 5000;             // between two polls, if there is no stream
  const REFUSED_RETRY_MS = 15000;   // until a stream that was refused is tried again
  const SILENT_STREAM_MS = 15000;   // until a stream without a heartbeat counts as lost
  const REOPEN_STREAM_MS = 60000;   // until a lost stream is opened again
  const REQUEST_TIMEOUT_MS = 30000;
  const part = document.getElementById("live");
  const sign = document.querySelector("[data-live]");
  updateTimes();
  setInterval(updateTimes, 5000);
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
    if (held) say("Paused", "");
    else update();
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden && due) update(); });

  if (sign.dataset.events && "EventSource" in window) listen();
  setTimeout(poll, FIRST_POLL_MS);
  const timer = setInterval(poll, every || POLL_MS);

  function say(words, state) {
    if (text.textContent !== words) text.textContent = words;
    sign.className = "live " + state;
  }

  // A proxy may delay or cut a stream without notice, so only what arrives counts.
  function listen() {
    if (ended) return;
    opened = Date.now();
    source = new EventSource(sign.dataset.events);
    source.onmessage = (event) => { hear(); wanted = event.data; if (isBehind()) update(); };
    source.addEventListener("beat", hear);
    source.onerror = () => {
      heard = 0;
      update();
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, REFUSED_RETRY_MS);
    };
  }

  function hear() {
    heard = Date.now();
    if (!held) say("Live", "on");
  }

  // Checks for changes, unless the stream is alive.
  function poll() {
    if (Date.now() - heard < SILENT_STREAM_MS) return;
    update();
    if (source && source.readyState !== EventSource.CLOSED && Date.now() - Math.max(heard, opened) > REOPEN_STREAM_MS) {
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
      const answer = await fetch(address, { headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
      note(answer.headers.get("Goodarm-Notice") || "");
      if (answer.status === 401 || answer.status === 404) { end(answer.status); return; }
      if (answer.status === 200) {
        tag = answer.headers.get("ETag");
        const found = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = found.getElementById("live");
        if (fresh && !held) {
          announce(fresh);
          merge(part, fresh);
          updateTimes();
        }
      }
      if (answer.status !== 200 && answer.status !== 304) throw new Error(answer.statusText);
      if (!held) say("Live", "on");
    } catch {
      if (!held) say("Reconnecting", "off");
    } finally {
      busy = false;
      if (due && !held) update();
      else if (isBehind()) setTimeout(update, FIRST_POLL_MS);  // with many arms, the server reuses a snapshot for a while
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
    say(status === 401 ? "Your session has ended. Reload the page to log in." : "This experiment no longer exists.", "off");
    announced.textContent = text.textContent;
  }

  function announce(fresh) {
    const news = [...fresh.querySelectorAll("[data-announce]")].filter((each) => !document.getElementById(each.id));
    const words = news.slice(0, 3).map((each) => each.dataset.announce);
    if (news.length > 3) words.push(`and ${news.length - 3} more labels`);
    if (words.length) announced.textContent = words.join(", ");
  }

  // Makes the old tree equal to the new one; keeps elements with the same id, or position and name.
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

  // Updates texts such as "3 min ago", which were true when the page was sent.
  function updateTimes() {
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
