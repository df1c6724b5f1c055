// Runs in every page before anything of the app: pins what the app takes from chance and from the
// clock, and tells when the page has come to rest. `plan` says what is pinned.
(plan) => {
  'use strict';
  const KEY = Symbol.for('reduce-suite');
  const w = globalThis;
  if (w[KEY]) return;
  const native = {
    Date: w.Date,
    setTimeout: w.setTimeout.bind(w),
    requestAnimationFrame: w.requestAnimationFrame.bind(w),
    now: w.performance.now.bind(w.performance),
    MessageChannel: w.MessageChannel,
    Promise: w.Promise,
  };
  const put = (object, name, value) =>
    Object.defineProperty(object, name, { value, writable: true, configurable: true, enumerable: true });

  // The clock of the page at the top serves the frames inside it.
  let outer;
  try {
    outer = w.parent !== w ? w.parent[KEY] : undefined;
  } catch {
    outer = undefined;
  }

  const makeClock = () => {
    const queue = [];
    const clock = { now: plan.now, last: 0, pending: 0, activity: 0, era: 0 };
    const insert = (timer) => {
      let low = 0;
      let high = queue.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (queue[middle].at <= timer.at) low = middle + 1;
        else high = middle;
      }
      queue.splice(low, 0, timer);
    };
    clock.add = (run, delay, every) => {
      clock.last += 1;
      const wait = Math.max(Number(delay) || 0, every ? 4 : 0);
      insert({ id: clock.last, at: clock.now + wait, run, every: every ? wait : 0 });
      return clock.last;
    };
    clock.remove = (id) => {
      const at = queue.findIndex((timer) => timer.id === Number(id));
      if (at >= 0) queue.splice(at, 1);
    };
    clock.isDue = (end) => queue.length > 0 && queue[0].at <= end;
    clock.next = (end) => {
      if (!queue.length || queue[0].at > end) return undefined;
      const timer = queue.shift();
      clock.now = Math.max(clock.now, timer.at);
      if (timer.every) insert({ ...timer, at: clock.now + timer.every });
      return timer.run;
    };
    return clock;
  };
  const clock = (outer && outer.clock) || makeClock();

  if (plan.clock) {
    const calls = (run, args) => () => {
      if (typeof run === 'function') run.apply(w, args);
      else (0, w.eval)(String(run));
    };
    put(w, 'setTimeout', (run, delay, ...args) => clock.add(calls(run, args), delay, false));
    put(w, 'setInterval', (run, delay, ...args) => clock.add(calls(run, args), delay, true));
    put(w, 'clearTimeout', (id) => clock.remove(id));
    put(w, 'clearInterval', (id) => clock.remove(id));
    const began = clock.now;
    put(w.performance, 'now', () => clock.now - began);
    put(w, 'requestAnimationFrame', (run) =>
      clock.add(() => run(clock.now - began), 16 - ((clock.now - began) % 16), false));
    put(w, 'cancelAnimationFrame', (id) => clock.remove(id));
    if (w.requestIdleCallback) {
      const deadline = { didTimeout: false, timeRemaining: () => 10 };
      put(w, 'requestIdleCallback', (run) => clock.add(() => run(deadline), 1, false));
      put(w, 'cancelIdleCallback', (id) => clock.remove(id));
    }
    const NativeDate = native.Date;
    const PinnedDate = function Date(...args) {
      if (!new.target) return new NativeDate(clock.now).toString();
      return Reflect.construct(NativeDate, args.length ? args : [clock.now], new.target);
    };
    Object.setPrototypeOf(PinnedDate, NativeDate);
    PinnedDate.prototype = NativeDate.prototype;
    PinnedDate.prototype.constructor = PinnedDate;
    PinnedDate.now = () => clock.now;
    PinnedDate.parse = NativeDate.parse;
    PinnedDate.UTC = NativeDate.UTC;
    Object.defineProperty(PinnedDate, 'length', { value: 7 });
    put(w, 'Date', PinnedDate);
    // Time inside the page stands still between steps, so it must not matter how long an
    // animation takes outside.
    const still = () => {
      try {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(
          '*,*::before,*::after{transition-duration:1ms!important;transition-delay:0s!important;' +
            'animation-duration:1ms!important;animation-delay:0s!important;scroll-behavior:auto!important}');
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      } catch {
        // A page that takes no styles has no animations.
      }
    };
    document.addEventListener('DOMContentLoaded', still, { once: true, capture: true });
  }

  if (plan.random) {
    let a = (plan.seed ^ plan.now) >>> 0;
    const draw = () => {
      a = (a + 0x6d2b79f5) | 0;
      let t = Math.imul(a ^ (a >>> 15), 1 | a);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return (t ^ (t >>> 14)) >>> 0;
    };
    put(w.Math, 'random', () => draw() / 4294967296);
    if (w.crypto) {
      const fill = (array) => {
        const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
        for (let i = 0; i < bytes.length; i += 1) bytes[i] = draw() & 255;
        return array;
      };
      put(w.Crypto.prototype, 'getRandomValues', fill);
      put(w.Crypto.prototype, 'randomUUID', () => {
        const bytes = fill(new Uint8Array(16));
        bytes[6] = (bytes[6] & 15) | 64;
        bytes[8] = (bytes[8] & 63) | 128;
        const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
        return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      });
    }
  }

  // What the page waits for: timers wait for it too, as they would by a real clock.
  const begin = () => {
    clock.pending += 1;
    clock.activity += 1;
    const era = clock.era;
    let open = true;
    return () => {
      clock.pending -= open && era === clock.era ? 1 : 0;
      open = false;
    };
  };
  const change = (type, names, wrap) => {
    const proto = typeof w[type] === 'function' ? w[type].prototype : undefined;
    for (const name of proto ? names : []) {
      if (typeof proto[name] === 'function') put(proto, name, wrap(proto[name]));
    }
  };
  const promised = (method) => function (...args) {
    const answer = method.apply(this, args);
    if (answer instanceof native.Promise) {
      const end = begin();
      answer.then(end, end);
    }
    return answer;
  };
  const told = (...events) => (method) => function (...args) {
    const answer = method.apply(this, args);
    const end = begin();
    for (const event of events) answer.addEventListener(event, end, { once: true });
    return answer;
  };
  if (w.fetch) put(w, 'fetch', promised(w.fetch));
  change('Response', ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'], promised);
  change('Blob', ['arrayBuffer', 'bytes', 'text'], promised);
  change('Cache', ['add', 'addAll', 'delete', 'keys', 'match', 'matchAll', 'put'], promised);
  change('CacheStorage', ['delete', 'has', 'keys', 'match', 'open'], promised);
  change('ServiceWorkerContainer', ['getRegistration', 'getRegistrations', 'register'], promised);
  change('SubtleCrypto', ['decrypt', 'deriveBits', 'deriveKey', 'digest', 'encrypt', 'exportKey',
    'generateKey', 'importKey', 'sign', 'unwrapKey', 'verify', 'wrapKey'], promised);
  change('IDBFactory', ['databases'], promised);
  change('IDBFactory', ['deleteDatabase', 'open'], told('success', 'error', 'blocked'));
  change('IDBDatabase', ['transaction'], told('complete', 'abort', 'error'));
  const loaded = (method) => function (...args) {
    const end = begin();
    this.addEventListener('loadend', end, { once: true });
    try {
      return method.apply(this, args);
    } catch (error) {
      end();
      throw error;
    }
  };
  change('XMLHttpRequest', ['send'], loaded);
  change('FileReader', ['readAsArrayBuffer', 'readAsBinaryString', 'readAsDataURL', 'readAsText'], loaded);

  let changed = native.now();
  const watch = new MutationObserver(() => {
    changed = native.now();
    clock.activity += 1;
  });
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });

  const channel = new native.MessageChannel();
  let waiting = [];
  channel.port1.onmessage = () => {
    const now = waiting;
    waiting = [];
    for (const go of now) go();
  };
  // Everything that the page has put off until now comes first.
  const turn = () => new native.Promise((go) => {
    waiting.push(go);
    channel.port2.postMessage(0);
  });
  const sleep = (millis) => new native.Promise((go) => native.setTimeout(go, millis));
  // A tab that is not shown draws nothing.
  const drawn = () => new native.Promise((go) => {
    native.requestAnimationFrame(() => go());
    native.setTimeout(go, 100);
  });

  // Comes to rest, or says why not: `budget` milliseconds of the page's clock pass when it is
  // pinned, else it waits until nothing has changed for `calm` real milliseconds. Takes at most
  // `limit` real milliseconds.
  const rest = async (budget, calm, limit) => {
    const since = native.now();
    const late = () => native.now() - since > limit;
    let why = '';
    // Scripts of the page that are not there yet have not even begun.
    while (document.readyState !== 'complete' && !late()) await sleep(5);
    await turn();
    if (plan.clock) {
      const end = clock.now + budget;
      for (;;) {
        while (clock.pending > 0 && !late()) await sleep(2);
        if (late()) {
          why = clock.pending > 0 ? 'a request is not answered' : 'its timers never end';
          break;
        }
        const run = clock.next(end);
        if (!run) {
          await drawn();
          await turn();
          if (clock.pending > 0 || clock.isDue(end)) continue;
          break;
        }
        try {
          run();
        } catch (error) {
          w.reportError(error);
        }
        await turn();
      }
      clock.now = Math.max(clock.now, end);
    } else {
      while (native.now() - changed < calm || clock.pending > 0) {
        if (late()) {
          why = clock.pending > 0 ? 'a request is not answered' : 'it never stops changing';
          break;
        }
        await sleep(Math.min(calm / 4, 20));
      }
    }
    if (why) {
      // What did not come in all that time is not waited for again.
      clock.era += 1;
      clock.pending = 0;
    }
    return {
      now: plan.clock ? clock.now : 0,
      activity: clock.activity,
      elements: document.getElementsByTagName('*').length,
      scrolls: !!document.scrollingElement && document.scrollingElement.scrollHeight > w.innerHeight + 1,
      why,
    };
  };
  Object.defineProperty(w, KEY, { value: Object.freeze({ clock, rest }) });
}
