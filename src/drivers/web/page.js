// Runs in every page and in every worker of it before anything of the app: pins what the app takes
// from chance and from the clock, and tells when it has come to rest. `plan` says what is pinned.
(plan) => {
  'use strict';
  const KEY = Symbol.for('reduce-suite');
  const w = globalThis;
  if (w[KEY]) return;
  const isPage = typeof w.document === 'object';
  const native = {
    Date: w.Date,
    setTimeout: w.setTimeout.bind(w),
    requestAnimationFrame: w.requestAnimationFrame && w.requestAnimationFrame.bind(w),
    now: w.performance.now.bind(w.performance),
    MessageChannel: w.MessageChannel,
    Promise: w.Promise,
  };
  const put = (object, name, value) =>
    Object.defineProperty(object, name, { value, writable: true, configurable: true, enumerable: true });

  // The clock of the page at the top serves the frames inside it.
  let outer;
  try {
    outer = isPage && w.parent !== w ? w.parent[KEY] : undefined;
  } catch {
    outer = undefined;
  }

  const makeClock = () => {
    const queue = [];
    const clock = { now: plan.now, last: 0, pending: 0, activity: 0, era: 0, born: 0 };
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
    if (native.requestAnimationFrame) {
      put(w, 'requestAnimationFrame', (run) =>
        clock.add(() => run(clock.now - began), 16 - ((clock.now - began) % 16), false));
      put(w, 'cancelAnimationFrame', (id) => clock.remove(id));
    }
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
            'animation-duration:1ms!important;animation-delay:0s!important;' +
            'animation-iteration-count:1!important;scroll-behavior:auto!important}');
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      } catch {
        // A page that takes no styles has no animations.
      }
    };
    if (isPage) document.addEventListener('DOMContentLoaded', still, { once: true, capture: true });
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
  const counted = (method) => function (...args) {
    clock.activity += 1;
    return method.apply(this, args);
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
  change('HTMLImageElement', ['decode'], promised);
  if (w.createImageBitmap) put(w, 'createImageBitmap', promised(w.createImageBitmap));
  change('HTMLCanvasElement', ['toBlob'], (method) => function (run, ...args) {
    const end = begin();
    return method.call(this, (blob) => {
      end();
      if (typeof run === 'function') run(blob);
    }, ...args);
  });
  // Pictures that come from the page itself are not seen on the network.
  const picture = typeof w.HTMLImageElement === 'function'
    ? Object.getOwnPropertyDescriptor(w.HTMLImageElement.prototype, 'src') : undefined;
  if (picture && picture.set) {
    Object.defineProperty(w.HTMLImageElement.prototype, 'src', {
      ...picture,
      set(value) {
        picture.set.call(this, value);
        if (/^(data|blob):/.test(String(value)) && !this.complete) {
          const end = begin();
          this.addEventListener('load', end, { once: true });
          this.addEventListener('error', end, { once: true });
        }
      },
    });
  }
  if (isPage && w.Worker) {
    put(w, 'Worker', new Proxy(w.Worker, {
      construct(type, args, target) {
        const worker = Reflect.construct(type, args, target);
        clock.born += 1;
        return worker;
      },
    }));
  }
  if (!isPage) {
    w.addEventListener('message', () => { clock.activity += 1; });
    change('DedicatedWorkerGlobalScope', ['postMessage'], counted);
  }

  let changed = native.now();
  // What was put into the page and has to be loaded first.
  const scripts = ['', 'module', 'text/javascript', 'application/javascript'];
  const awaits = (node) => {
    if (node instanceof HTMLScriptElement) return node.src !== '' && scripts.includes(node.type);
    if (node instanceof HTMLLinkElement) return node.relList.contains('stylesheet') && /^http/.test(node.href);
    if (node instanceof HTMLIFrameElement) return /^http/.test(node.src) && node.loading !== 'lazy';
    return node instanceof HTMLImageElement && !node.complete && node.loading !== 'lazy';
  };
  const known = new WeakSet();
  const arrived = (node) => {
    if (!(node instanceof Element)) return;
    for (const one of [node, ...node.querySelectorAll('script,link,iframe,img')]) {
      if (known.has(one) || !one.isConnected || !awaits(one)) continue;
      known.add(one);
      const end = begin();
      // Some never load and never say so.
      native.setTimeout(end, 2000);
      one.addEventListener('load', end, { once: true });
      one.addEventListener('error', end, { once: true });
    }
  };
  if (isPage) {
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    const watch = new MutationObserver((records) => {
      changed = native.now();
      clock.activity += 1;
      if (document.readyState !== 'complete') return;
      for (const record of records) record.addedNodes.forEach(arrived);
    });
    watch.observe(document, all);
    change('Element', ['attachShadow'], (method) => function (...args) {
      const root = method.apply(this, args);
      watch.observe(root, all);
      return root;
    });
  }

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
  // Over when scripts that have arrived were run: the browser reads them elsewhere, and hands them
  // over when it is done.
  const calm = async () => {
    await sleep(2);
    await turn();
  };
  // A frame, and what observers of sizes have to say about it. A tab that is not shown draws nothing,
  // and one on a busy machine draws late.
  const drawn = () => new native.Promise((go) => {
    if (!isPage) {
      native.setTimeout(go, 3);
      return;
    }
    native.requestAnimationFrame(() => native.setTimeout(go, 0));
    native.setTimeout(go, document.hidden ? 100 : 2000);
  });
  // Animations end at once, because the time that they take is none of the page's clock; true when
  // one did.
  const hurry = () => {
    let ended = false;
    const all = isPage && document.getAnimations ? document.getAnimations() : [];
    for (const animation of all) {
      const timing = animation.effect && animation.effect.getComputedTiming();
      if (animation.playState === 'running' && timing && Number.isFinite(timing.endTime)) {
        try {
          animation.finish();
          ended = true;
        } catch {
          // One that cannot be ended goes on.
        }
      }
    }
    return ended;
  };
  const isComplete = () =>
    !isPage || (document.readyState === 'complete' && (!document.fonts || document.fonts.status !== 'loading'));

  // Comes to rest, or says why not: the page's clock goes on to `end` when it is pinned, else it waits
  // until nothing has changed for `calm` real milliseconds. Takes at most `limit` real milliseconds.
  const rest = async (end, calm, limit) => {
    const since = native.now();
    const late = () => native.now() - since > limit;
    let why = '';
    let frames = 0;
    let seen = -1;
    // Scripts of the page that are not there yet have not even begun.
    while (!isComplete() && !late()) await sleep(5);
    await turn();
    if (plan.clock) {
      for (;;) {
        while (clock.pending > 0 && !late()) await sleep(2);
        if (late()) {
          why = clock.pending > 0 ? 'a request is not answered' : 'its timers never end';
          break;
        }
        // Observers of sizes hear of a change with the next frame by the real clock. So that comes
        // before anything else, before the page's own time goes on, and at the end. Where time goes
        // on in many small steps, not all of them can wait.
        const isOver = !clock.isDue(end);
        const isTurn = frames === 0 || isOver || (!clock.isDue(clock.now) && frames < 4);
        if (isTurn && frames < 30 && clock.activity !== seen) {
          seen = clock.activity;
          await drawn();
          await turn();
          if (frames < 20 && hurry()) clock.activity += 1;
          frames += 1;
          continue;
        }
        const run = clock.next(end);
        if (!run) break;
        if (!isPage) clock.activity += 1;
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
    const { born } = clock;
    clock.born = 0;
    return {
      activity: clock.activity,
      born,
      elements: isPage ? document.getElementsByTagName('*').length : 0,
      scrolls: isPage && !!document.scrollingElement && document.scrollingElement.scrollHeight > w.innerHeight + 1,
      why,
    };
  };
  Object.defineProperty(w, KEY, { value: Object.freeze({ calm, clock, rest }) });
}
