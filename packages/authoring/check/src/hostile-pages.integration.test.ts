import { isVidError } from '@vid/protocol'
import { expect, test } from 'vitest'
import { isWhole, partOf } from '../../../../scripts/dev/part-of.ts'
import { compositionOf, useChecks } from './fixtures/projects.ts'

const check = useChecks()

/** Whole sizes, and a loop that the browser is given half a minute for, with `npm run lab -- hostile-pages`. */
const ELEMENTS = isWhole ? 50_000 : 10_000

/** Milliseconds in which a check of a hostile page has to end on two idle cores, with room for a loaded machine. */
const BOUND_MS = 150_000

/** Ends with findings, or with a coded error. */
const outcomeOf = async (html: string): Promise<string> => {
  try {
    const { frames } = await check({ 'index.html': html }, {}, AbortSignal.timeout(BOUND_MS))
    return `${frames} frames`
  } catch (thrown) {
    if (!isVidError(thrown)) throw thrown
    return thrown.code
  }
}

// In CI, examined-page.integration.test.ts shows it with a limit of a second.
test.runIf(isWhole)(
  'a script that never returns ends a check with a coded error',
  async () => {
    const loop = `<p>Here</p><script>addEventListener('vid-seek', ({ detail }) => { while (detail.frame === 5); })</script>`
    expect(await outcomeOf(compositionOf(loop, { seconds: 0.5 }))).toBe('VID_PAGE_UNRESPONSIVE')
  },
  BOUND_MS,
)

test(
  'a page with 10,000 clips ends a check with a coded error',
  async () => {
    const clips = Array.from(
      { length: 10_000 },
      (_, index) => `<b data-start="${index % 5 === 0 ? 0 : 0.2}" data-duration="0.2">x</b>`,
    )
    expect(await outcomeOf(compositionOf(clips.join(''), { seconds: 0.5 }))).toBe('VID_CHECK_CLIPS')
  },
  BOUND_MS,
)

test.each(
  partOf(
    [
      [`${ELEMENTS} elements`, `${'<i></i>'.repeat(ELEMENTS)}<p style="left: 60px; top: 60px">Here</p>`],
      ['a text of a megabyte', `<p style="width: 600px">${'lorem ipsum '.repeat(87_382)}</p>`],
    ],
    1,
  ),
)(
  'a page with %s ends in a bounded time',
  async (_, body) => {
    const html = compositionOf(body, { seconds: 0.5, style: '#root { overflow: hidden }' })
    expect(await outcomeOf(html)).toMatch(/^(?:15 frames|VID_PAGE_UNRESPONSIVE)$/)
  },
  BOUND_MS,
)
