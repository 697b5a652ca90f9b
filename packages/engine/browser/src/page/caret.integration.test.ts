import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { formatsOf, openSession, pageOf, pixelAt, pixelsOf, take } from '../fixtures/session.ts'

const FIELDS = {
  'a text area':
    '<textarea id="field" style="all:unset;position:absolute;left:100px;top:20px;width:100px;height:80px"></textarea>',
  'an editable element':
    '<div id="field" contenteditable style="outline:none;position:absolute;left:100px;top:20px;width:100px;height:80px"></div>',
}

/** More real time than the caret of a browser is shown or hidden. */
const BLINK_MS = 700

test.each(
  Object.keys(FIELDS).flatMap((name) => (['raster', 'screenshot'] as const).map((lane) => [name, lane] as const)),
)('the caret of %s that has the focus is steady (%s)', async (name, lane) => {
  const page = pageOf(
    `${FIELDS[name as keyof typeof FIELDS]}<script>
    field.style.caretColor = '#f00'; field.style.font = '60px/80px sans-serif'; field.focus()
    </script>`,
  )
  const { session } = await openSession(page, { lane })
  const shown: boolean[] = []
  for (const start of [0, 1, 2, 3]) {
    const [frame] = await take(session, start, 1, ...formatsOf(lane))
    if (!frame) throw new Error('no frame')
    const pixels = await pixelsOf(frame)
    shown.push(
      Array.from({ length: 8 }, (_, x) => pixelAt(pixels, 97 + x, 60)).some(([r = 0, g = 255]) => r > 200 && g < 100),
    )
    await wait(BLINK_MS)
  }
  expect(shown).toEqual([true, true, true, true])
})
