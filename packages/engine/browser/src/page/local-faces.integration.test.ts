import { expect, test } from 'vitest'
import { openSession, pageOf, pixelsOf, take } from '../fixtures/session.ts'

/** The frame of a page with two lines of text, in 800 and in 400, with some faces declared. */
const shown = async (faces: string) => {
  const { session } = await openSession(
    pageOf(
      '<p>Bold 800</p><p style="font-weight:400">Regular 400</p>',
      `${faces} p { margin: 0; font: 800 40px/60px Inter, serif }`,
    ),
  )
  const [frame] = await take(session, 0, 1, 'rgba')
  if (!frame) throw new Error('no frame')
  return Buffer.from(await pixelsOf(frame))
}

const face = (weight: string, src: string) => `@font-face { font-family: "Inter"; font-weight: ${weight}; src: ${src} }`

test.runIf(process.platform === 'linux')(
  'a face of several weights is not drawn with the one weight of an installed file',
  async () => {
    const installed = await shown('')
    const locals = 'local("Inter"), local("Inter-Regular")'
    for (const faces of [face('400 800', locals), `@media all { ${face('400 800', "local('Inter-Regular')")} }`])
      expect((await shown(faces)).equals(installed), faces).toBe(true)
    const one = await shown(face('800', 'local("Inter-Regular")'))
    expect(one.equals(installed)).toBe(false)
  },
)
