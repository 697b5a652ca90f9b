import { expect, test } from 'vitest'
import { makeProject, page, TESTER, textAt } from './fixtures/project.ts'
import { openEdit } from './index.ts'

/** Elements of the file: 200,000 with `npm run lab -- large-files`. */
const ELEMENTS = Number(process.env.VID_LARGE_FILES ?? 30_000)
/** Every so many elements, one is a clip. */
const CLIP_EVERY = ELEMENTS / 20

test(`a file of ${ELEMENTS} elements is edited like a small one`, { timeout: 900_000 }, async () => {
  const lines = Array.from({ length: ELEMENTS }, (_, index) =>
    index % CLIP_EVERY === 0
      ? `      <p data-start="${index / CLIP_EVERY}" data-duration="1">clip</p>`
      : '      <i>x</i>',
  )
  const html = page(lines.join('\n'))
  const folder = await makeProject({ 'index.html': html, 'a.mp4': '' })
  const edit = await openEdit(folder)
  const clips = await edit.clips()
  const started = performance.now()
  await edit.stage(
    [
      { op: 'insert', file: 'a.mp4', start: 1, duration: 2 },
      { op: 'remove', target: clips[3]?.address },
    ],
    { who: TESTER },
  )
  await edit.write()
  console.info(`two operations in ${Math.round(performance.now() - started)} ms`)
  const before = html.split('\n')
  const after = (await textAt(folder, 'index.html')).split('\n')
  expect(after).toHaveLength(before.length)
  expect(before.filter((line) => /p data/.test(line) && !after.includes(line))).toEqual([
    '      <p data-start="3" data-duration="1">clip</p>',
  ])
  expect(after.filter((line) => /<video/.test(line))).toEqual([
    expect.stringContaining('<video id="a" src="a.mp4" data-start="1" data-duration="2"'),
  ])
  await edit.undo(TESTER)
  expect((await textAt(folder, 'index.html')) === html).toBe(true)
})
