import { expect, test } from 'vitest'
import { partOf } from '../../../../../../scripts/dev/part-of.ts'
import { changingPage, expectAlike, psnrOf, takeBoth } from '../../fixtures/pictures.ts'
import { openSession, pageOf, take } from '../../fixtures/session.ts'
import { card, movement, moving, spaces } from '../../fixtures/spaces.ts'

/** The likeness of each frame in the raster lane to its screenshot. */
const likenesses = async (page: string, frames: number): Promise<number[]> => {
  const { raster, screenshots } = await takeBoth(page, frames)
  expect(raster).toHaveLength(frames)
  return Promise.all(raster.map((frame, index) => psnrOf(frame, screenshots[index])))
}

test.each(
  partOf(
    [
      `<div style="transform-style:preserve-3d;transform:rotate(5deg)"><b style="${card};transform:rotate(4deg)">a</b></div>`,
      `<div style="transform-style:preserve-3d"><b style="${card};transform:translateZ(0) rotate(4deg)">a</b></div>`,
      `<b style="${card};backface-visibility:hidden;transform:translate(3.3px,4.7px) rotate(5deg)">a</b>`,
      `<div style="perspective:500px">${moving}</div>`,
      `<div style="transform-style:preserve-3d">${moving}<b style="${card};left:90px;backface-visibility:hidden">b</b></div>`,
    ],
    4,
  ),
)('depth where nothing is turned changes no pixel in any frame: %s', async (content) => {
  expect(new Set(await likenesses(pageOf(content, movement), 6))).toEqual(new Set([Infinity]))
})

test('an element without depth still holds what is placed in it, and is a stacking context', async () => {
  const page = pageOf(
    `<div style="margin:30px;transform-style:preserve-3d"><i style="position:fixed;right:0;width:40px;height:40px;background:red"></i>
     <i style="position:absolute;z-index:-1;left:9px;width:70px;height:70px;background:blue"></i>text</div>`,
  )
  expect(await likenesses(page, 1)).toEqual([Infinity])
})

test('depth comes back when an element is turned', async () => {
  const page = changingPage(
    `<div style="transform-style:preserve-3d"><b style="${card};backface-visibility:hidden">front</b></div>`,
    `document.querySelector('b').style.transform = frame < 3 ? '' : 'rotateY(180deg)'`,
  )
  const { session, warnings } = await openSession(page)
  const frames = await take(session, 0, 6, 'rgba', 'png')
  const hashes = frames.map(({ data }) => Buffer.from(data).toString('base64'))
  expect(new Set(hashes.slice(0, 3)).size).toBe(1)
  expect(new Set(hashes.slice(3)).size).toBe(1)
  const { session: empty } = await openSession(pageOf(''))
  const [blank] = await take(empty, 0, 1, 'rgba')
  expect(await psnrOf(frames[5], blank)).toBe(Infinity)
  expect(await psnrOf(frames[2], blank)).toBeLessThan(20)
  expect(warnings).toEqual([])
})

test.each(partOf(spaces, 6))('%s is drawn as in a screenshot, in six frames of a second', async (_name, page) => {
  await expectAlike(page, 6, 6)
})

test('no page is judged by the text of its scripts', async () => {
  const page = `${pageOf(moving, movement)}<script>// rotateX rotationY preserve-3d backdrop-filter matrix3d</script>`
  const { session, warnings } = await openSession(page)
  expect((await take(session, 0, 3, 'rgba', 'png')).map(({ format }) => format)).toEqual(['rgba', 'rgba', 'rgba'])
  expect(warnings).toEqual([])
})
