import { expect, test } from 'vitest'
import { brief, lint, root } from '../fixtures/project.ts'

test('every start that cannot be resolved is reported, not only the first', async () => {
  const content =
    '<p data-start="x">a</p>\n<p data-start="y">b</p>\n<p id="m" data-start="n">c</p>\n<p id="n" data-start="m">d</p>'
  const findings = await lint({ 'index.html': root(content) })
  expect(brief(findings).map((text) => text.split(' ')[1])).toEqual(['unknown-start', 'unknown-start', 'start-cycle'])
})

const clips = (...timings: string[]) => timings.map((timing) => `<p data-track-index="1" ${timing}>x</p>`).join('\n')
const overlapsIn = async (content: string, others = {}) =>
  brief(await lint({ 'index.html': root(content), ...others })).filter((text) => text.includes('overlapping'))

test.each([
  [
    'windows that touch, after rounding',
    clips('data-start="0.1" data-duration="0.2"', 'data-start="0.3" data-duration="1"'),
    0,
  ],
  ['a clip after one without an end', clips('data-start="0"', 'data-start="3" data-duration="1"'), 1],
  ['an absolute end', clips('data-start="0" data-end="2"', 'data-start="1.9" data-duration="1"'), 1],
  [
    'a start that follows another clip',
    clips('id="a" data-start="0" data-duration="2"', 'data-start="a - 0.5" data-duration="1"'),
    1,
  ],
  ['clips of no track', '<p data-start="0">x</p>\n<p data-start="0">x</p>', 0],
  ['the older spelling', '<p data-layer="2" data-start="0">x</p>\n<p data-track-index="2" data-start="1">x</p>', 1],
  [
    'two alike on one line',
    '<p data-start="0">x</p><p data-track-index="1" data-start="0">x</p><p data-track-index="1" data-start="0">x</p>',
    1,
  ],
  [
    'clips of two compositions',
    `${clips('data-start="0"')}\n<div data-composition-id="in" data-start="0">${clips('data-start="0"')}</div>`,
    0,
  ],
])('overlap: %s', async (_, content, count) => {
  expect(await overlapsIn(content)).toHaveLength(count)
})

test('overlap: media of unknown duration is not checked, a host lasts as long as its embedded composition', async () => {
  const video = '<video src="a.mp4" data-track-index="1" data-start="0"></video>'
  expect(await overlapsIn(`${video}\n${clips('data-start="3"')}`, { 'a.mp4': '' })).toEqual([])
  const host = '<div data-composition-src="a.html" data-track-index="1" data-start="0"></div>'
  const nested = {
    'a.html': '<template><div data-composition-id="a" data-duration="2"><p>x</p></div></template>',
  }
  expect(await overlapsIn(`${host}\n${clips('data-start="2"')}`, nested)).toEqual([])
  expect(await overlapsIn(`${host}\n${clips('data-start="1.5"')}`, nested)).toHaveLength(1)
})

test('a clip that overlaps several is reported with the first of them', async () => {
  const content = clips(
    'data-start="6" data-duration="4"',
    'data-start="0" data-duration="9"',
    'data-start="20" data-duration="1"',
    'data-start="2" data-duration="5"',
  )
  const issues = await lint({ 'index.html': root(content) })
  const messages = issues.filter(({ code }) => code === 'lint/overlapping-clips').map(({ message }) => message)
  expect(messages).toEqual([
    expect.stringMatching(/\(0–9 s\) overlaps .*\(6–10 s,/),
    expect.stringMatching(/\(2–7 s\) overlaps .*\(6–10 s,/),
  ])
})

test.each([
  ['data-start="3" data-duration="1.5"', ['lint/clip-past-end']],
  ['data-start="3" data-end="9"', ['lint/clip-past-end']],
  ['data-start="3.9" data-duration="0.1"', []],
  ['data-start="3"', []],
  ['data-start="4" data-duration="1"', ['lint/never-shown']],
])('a clip with %s of a composition of 4 seconds', async (timing, codes) => {
  const content = `<p class="clip" ${timing}>x</p>`
  expect((await lint({ 'index.html': root(content) })).map(({ code }) => code)).toEqual(codes)
  expect(await lint({ 'index.html': root(content, '') })).not.toMatchObject([{ code: 'lint/clip-past-end' }])
})
