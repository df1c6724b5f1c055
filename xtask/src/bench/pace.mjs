// A plain Playwright script: clean starts and clicks, as people write them.
import { createRequire } from 'node:module';
const [folder, url, executablePath, starts, ...ids] = process.argv.slice(2);
const { chromium } = createRequire(folder + '/')('playwright-core');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const visit = async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const since = performance.now();
  await page.goto(url);
  const loaded = performance.now();
  for (const id of ids) await page.click('#' + id);
  const clicked = performance.now();
  await context.close();
  return [loaded - since, clicked - loaded];
};
await visit();
const since = performance.now();
let clicks = 0;
for (let n = 0; n < Number(starts); n += 1) clicks += (await visit())[1];
const whole = performance.now() - since;
console.log(JSON.stringify({ whole, clicks }));
await browser.close();
