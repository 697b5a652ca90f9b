import { expect, test } from 'vitest'
import { lint, root } from '../fixtures/project.ts'

const script = (code: string) => `<p id="box">x</p><script>\n${code}\n</script>`
const severities = async (code: string, more?: string) =>
  (await lint({ 'index.html': root(script(code), more) })).map(({ code, severity }) => `${severity} ${code}`)

test.each([
  ['one under another id, which serves the root', 'window.__timelines = { ...window.__timelines, x: t }', ['warning']],
  ['one of two', 'var t, l = window.__timelines; __timelines["main"] = t; __timelines.x = t', ['error']],
  ['a key that only a run can tell', 'const id = "x", t = 1; window.__timelines[id] = t', []],
  ['an array', 'window.__timelines = []; window.__timelines.push(1)', []],
  ['one for a nested composition', 'window.__timelines = window.__timelines || { "main": 1, "main2": 2 }', ['error']],
])('timelines: %s', async (_, code, levels) => {
  expect(await severities(code)).toEqual(levels.map((severity) => `${severity} lint/unknown-timeline`))
})

test('a timeline of an embedded file may have the id of its root or of its host', async () => {
  const nested = (id: string) =>
    `<template><div data-composition-id="own"><p>x</p>${`<script>__timelines["${id}"] = 1</script>`}</div></template>`
  for (const [id, count] of [
    ['own', 0],
    ['given', 0],
    ['main', 1],
  ] as const) {
    const host = '<div data-composition-id="given" data-composition-src="a.html" data-start="0"></div>'
    expect(await lint({ 'index.html': root(host), 'a.html': nested(id) })).toHaveLength(count)
  }
})

test('an endless repeat is an error when nothing else states the duration of the composition', async () => {
  const code = 'gsap.to("#box", { repeat: -1 }); tl.repeat(-1); tl.to("#box", { "repeat": Infinity }); "-".repeat(3)'
  expect(await severities(code)).toEqual(Array(3).fill('warning lint/endless-repeat'))
  expect(await severities(code, '')).toEqual(Array(3).fill('error lint/endless-repeat'))
})

test('network requests are reported, reads of project files are not', async () => {
  const calls = [
    'window.fetch(url)',
    'new XMLHttpRequest()',
    'new window.WebSocket("ws://x")',
    'new EventSource("/x")',
    'navigator.sendBeacon("/x")',
  ]
  expect(await severities(calls.join('\n'))).toEqual(calls.map(() => 'warning lint/network-call'))
  expect(await severities(`fetch("data.json"); fetch(\`data/\${n}.json\`); cache.fetch(1)`)).toEqual([])
})

test('modules are parsed as modules, data blocks are not parsed', async () => {
  const content =
    '<script type="module">import "./a.js"; await 1</script><script type="application/json">{ a: }</script>'
  expect(await lint({ 'index.html': root(content) })).toEqual([])
})

test('a script that is nested too deeply to parse is ignored', async () => {
  expect(await severities(`const sum = ${Array(50_000).fill('x').join(' + ')}`)).toEqual([])
})
