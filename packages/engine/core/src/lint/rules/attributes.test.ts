import { expect, test } from 'vitest'
import { brief, lint, root } from '../fixtures/project.ts'

test.each([
  ['data-strat', 'data-start'],
  ['data-duraton', 'data-duration'],
  ['data-track-indx', 'data-track-index'],
  ['data-trackindex', 'data-track-index'],
  ['data-volumes', 'data-volume'],
])('%s is reported with the nearest known name', async (attribute, meant) => {
  const [finding, ...others] = await lint({ 'index.html': root(`<p ${attribute}="1">x</p>`) })
  expect(others).toEqual([])
  expect(finding).toMatchObject({ code: 'lint/misspelled-attribute', line: 2 })
  expect(finding?.message).toContain(`"${meant}"`)
})

test.each([
  '<p data-n="1" data-index="2" data-speed="1" data-state="x" data-id="y" data-width-step="3">x</p>',
  '<p data-stat="1">x</p><script>console.log(document.querySelector("[data-stat]"))</script>',
  '<p data-strat="1">x</p><script>console.log(document.body.dataset.strat)</script>',
  '<p data-widths="1">x</p><style>[data-widths] { color: red }</style>',
])('an attribute of the author is not reported: %s', async (content) => {
  expect(await lint({ 'index.html': root(content) })).toEqual([])
})

test('a binding may name what its file declares, and what a host passes', async () => {
  const declared = `data-composition-variables='[{"id":"title","type":"string","label":"T","default":""}]'`
  const host = `<div data-composition-src="a.html" data-start="0" data-variable-values='{"title":"a"}'></div>`
  const inline = `<div data-composition-id="in" data-start="0" ${declared}><b data-var-text="title">x</b></div>`
  const card = `<template><div data-composition-id="card" ${declared}>\n<b data-var-text="title">x</b><b data-var-src="tilte">x</b></div></template>`
  const findings = await lint({ 'index.html': root(`${host}${inline}`), 'a.html': card })
  expect(brief(findings)).toEqual(['a.html:2 unknown-variable'])
  expect(findings[0]?.message).toContain('declared: "title"')
})

test.each([
  ['the first is unusable', '{"id":"n","type":"number"},{"id":"n","type":"number","label":"N","default":1}'],
  [
    'the second is unusable',
    '{"id":"n","type":"number","label":"N","default":1},{"id":"n","type":"text","label":"N","default":1}',
  ],
])('an id that is declared twice is reported when %s', async (_, items) => {
  const findings = await lint({ 'index.html': root('x', `data-composition-variables='[${items}]'`) })
  expect(findings.map(({ code }) => code)).toContain('lint/variable-duplicate')
})

test.each([
  ['a timeline', '<script>window.__timelines = { main: build() }</script>'],
  ['an animation', '<style>@keyframes a { to { opacity: 0 } } p { animation: a 1s }</style><p>x</p>'],
  ['a clip', '<p data-start="0" data-duration="2">x</p>'],
  ['an animated drawing', '<svg><rect><animate attributeName="x" dur="1s"/></rect></svg>'],
])('a root without a length is not reported beside %s', async (_, content) => {
  expect(await lint({ 'index.html': root(content, '') })).toEqual([])
})
