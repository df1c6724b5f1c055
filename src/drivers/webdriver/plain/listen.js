// Keeps what goes wrong on a page for the next look at it.
(() => {
  const KEY = Symbol.for('reduce-suite-faults');
  if (globalThis[KEY]) return;
  const kept = [];
  Object.defineProperty(globalThis, KEY, { value: kept });
  const keep = (thrown, url, line) => {
    const said = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    const frame = /^\s*at (?:(?:async |new )*([^\s(]+) \()?(.*?):(\d+):\d+\)?$/m.exec(thrown?.stack || '');
    if (kept.length < 20) {
      const name = (frame?.[1] || '').split('.').pop();
      kept.push({ said, name, url: frame?.[2] || url || '', line: Number(frame?.[3] || line || 1) });
    }
  };
  addEventListener('error', (event) => keep(event.error ?? event.message, event.filename, event.lineno));
  addEventListener('unhandledrejection', (event) => keep(event.reason));
})();
