import { expect, test } from 'vitest'
import { brief, lint, root } from '../fixtures/project.ts'

const problemsOf = async (content: string) =>
  brief(await lint({ 'index.html': root(content), 'a.mp4': '' })).filter((line) => !line.includes('asset'))

test.each([
  '<audio src="a.mp4" autoplay></audio>',
  '<audio src="a.mp4" loop></audio>',
  '<video src="a.mp4" autoplay></video>',
])('sound without a start is reported: %s', async (content) => {
  expect(await problemsOf(content)).toEqual(['index.html:2 untimed-sound'])
})

test.each([
  '<audio src="a.mp4"></audio>',
  '<audio src="a.mp4" autoplay data-start="1"></audio>',
  '<video src="a.mp4" autoplay muted loop></video>',
  '<video src="a.mp4" loop></video>',
  '<video src="a.mp4" autoplay data-has-audio="false"></video>',
  '<video src="a.mp4" autoplay></video><script>document.querySelector("video").muted = true</script>',
])('media that are not meant to be heard, or may be timed, are not reported: %s', async (content) => {
  expect(await problemsOf(content)).toEqual([])
})

const inside = (outer: string, inner: string) =>
  `<div ${outer}><section><video src="a.mp4" ${inner}></video></section></div>`

test.each([
  ['data-start="2" data-duration="2"', 'data-start="0"', 'cut off'],
  ['data-start="2"', 'data-start="0" data-duration="1"', 'never'],
  ['data-start="0" data-duration="2"', 'data-start="2"', 'never'],
])('a video timed against its clip is reported: %s around %s', async (outer, inner, effect) => {
  const [finding] = await lint({ 'index.html': root(inside(outer, inner)), 'a.mp4': '' })
  expect(finding).toMatchObject({ code: 'lint/media-in-clip', message: expect.stringContaining(effect) })
})

test.each([
  ['data-start="2" data-duration="2"', 'data-start="2" data-duration="9"'],
  ['data-start="2" data-duration="2"', 'data-start="3"'],
  ['data-start="two"', 'data-start="0"'],
  ['data-start="2" data-composition-id="part"', 'data-start="0"'],
])(
  'a video inside the window of its clip, or of a composition, is not reported: %s around %s',
  async (outer, inner) => {
    expect((await problemsOf(inside(outer, inner))).filter((line) => line.includes('media-in-clip'))).toEqual([])
  },
)
