import { expect, test } from 'vitest'
import { openSession, pageOf } from '../fixtures/session.ts'

/** The source that a page's video plays. */
const playedSource = async (sources: string): Promise<string | undefined> => {
  const { session } = await openSession(
    pageOf(`<video data-start="0" data-duration="1" width="90" height="80" muted>${sources}</video>`),
  )
  const { media = [] } = await session.probe()
  return media[0]?.src
}

test.each([
  ['the first', '<source src="a.webm"><source src="b.webm">', 'a.webm'],
  ['one whose media query matches', '<source src="a.webm" media="(max-width: 10px)"><source src="b.webm">', 'b.webm'],
  [
    'one of a known type',
    '<source src="a.webm" type="video/x-unknown"><source src="b.webm" type="video/webm">',
    'b.webm',
  ],
  ['one of a known codec', '<source src="a.webm" type="video/webm; codecs=dirac"><source src="b.webm">', 'b.webm'],
  [
    'one that needs a licensed codec',
    '<source src="a.mp4" type="video/mp4; codecs=hvc1"><source src="b.webm">',
    'a.mp4',
  ],
  ['the first where none matches', '<source src="a.webm" type="video/x-unknown">', 'a.webm'],
])('a video plays %s of its sources', async (_name, sources, played) => {
  expect(await playedSource(sources)).toBe(played)
})
