import { expect, test } from 'vitest'
import { chances, codeOf, servesTests } from './chance.mjs'

const problemsIn = (code, file = 'packages/one/src/one.test.ts') => chances([[file, code]]).map(({ text }) => text)

test.each([
  ['a short limit', 'await expect.poll(read, { timeout: 10_000 }).toBe(1)', 'below a minute'],
  ['a short limit of an abort', 'encode(frames, AbortSignal.timeout(50))', 'below a minute'],
  ['a short wait', 'await vi.waitFor(() => expect(text).toBe(1), 20_000)', 'below a minute'],
  ['a short stretch of time', 'expect(performance.now() - begun).toBeLessThan(20_000)', 'real time'],
  ['a loop that waits', 'while (!(await isThere())) await new Promise(setImmediate)', 'in a loop'],
  ['a loop of turns', 'while (running) await nextTurn()', 'in a loop'],
  ['a sleep', 'await page.waitForTimeout(2000)', 'sleeps'],
  ['a port that was looked for', 'const port = await freePort()', 'a port'],
  ['a chosen port', "server.listen(8080, '127.0.0.1')", 'a port'],
  ['a second try', "test('one', { retry: 2 }, run)", 'tried again'],
  ['a rejection by the clock', 'timer = setTimeout(() => reject(new Error(late)), STOP_MS)', 'after real time'],
  ['what a template computes', '`\u0024{await page.waitForTimeout(9)}`', 'sleeps'],
])('%s is named with its line', (_, code, why) => {
  const problems = problemsIn(`const before = 1\n${code}\n`)
  expect(problems).toEqual([expect.stringContaining(why)])
  expect(problems[0]).toMatch(/^packages\/one\/src\/one\.test\.ts:2 /)
})

test.each([
  ['a limit of a minute', 'await expect.poll(read, { timeout: 60_000 }).toBe(1)'],
  ['the script of a page', "open('<script>AbortSignal.timeout(100); while (1) await nextTurn()</script>')"],
  ['a script in a template', 'open(`<script>\u0024{name} AbortSignal.timeout(100)</script>`)'],
  ['a comment', '// while (running) await nextTurn()'],
  ['a free port', "server.listen(0, '127.0.0.1')"],
  ['an option of the product that is tested', 'await deliver({ url, timeoutMs: 100 })'],
])('%s is left alone', (_, code) => expect(problemsIn(`${code}\n`)).toEqual([]))

test('browsers of tests have more time than their libraries allow', () => {
  const head = "import { chromium } from 'playwright-core'\n"
  const run = 'const browser = await chromium.launch({ args })\nconst page = await browser.newPage()\n'
  expect(problemsIn(head + run)).toEqual([
    expect.stringContaining('starts a browser in 30 s'),
    expect.stringContaining('opens pages whose steps take 30 s'),
  ])
  const patient = run.replace('args', 'args, timeout: LONG').replace(/$/, 'page.setDefaultTimeout(LONG)\n')
  expect(problemsIn(head + patient)).toEqual([])
  // A driver of the product has no such limits.
  expect(problemsIn(`import { driver } from './driver.ts'\n${run}`)).toEqual([])
})

test('only tests and what serves them are looked at', () => {
  const sleep = 'await page.waitForTimeout(2000)\n'
  const files = [
    'e2e/support/page.ts',
    'packages/one/src/fixtures/page.ts',
    'scripts/one.test.mjs',
    'packages/base/testkit/src/a.ts',
  ]
  for (const file of files) expect(problemsIn(sleep, file), file).toHaveLength(1)
  for (const file of ['packages/one/src/page.ts', 'scripts/one.mjs', 'e2e/projects/one/own.js', 'e2e/long/one.mjs'])
    expect([servesTests(file), problemsIn(sleep, file)], file).toEqual([false, []])
})

test('strings, templates, comments and expressions are blanked, and lines stay', () => {
  const text = 'a("x", \'y\') /* z\n */\nb(/["`]/, `one \u0024{two({ three: `four` })} five`) // six\nseven'
  const code = codeOf(text)
  expect(code.split('\n').map((line) => line.replace(/ +/g, ' ').trim())).toEqual([
    'a( , )',
    '',
    'b( , two({ three: })} )',
    'seven',
  ])
  expect(code).toHaveLength(text.length)
})
