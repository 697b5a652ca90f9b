import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { formatsOf, openSession, pageOf, pixelAt, pixelsOf, take } from '../fixtures/session.ts'

const drawing = (inside: string, style = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">${style}<rect width="40" height="40" fill="#f00">${inside}</rect></svg>`

/** From red to blue within two seconds. */
const SMIL = drawing('<animate attributeName="fill" from="#f00" to="#00f" dur="2s" repeatCount="indefinite"/>')
const CSS = drawing(
  '',
  '<style>@keyframes turn { from { fill: #f00 } to { fill: #00f } } rect { animation: turn 2s linear infinite }</style>',
)
const FILES = { 'smil.svg': SMIL, 'css.svg': CSS }

const srcdoc = (text: string) => `srcdoc="<body style='margin:0'>${text.replaceAll('"', "'")}"`

/** Elements side by side, each 40 pixels wide. */
const side = (parts: readonly string[]) =>
  pageOf(
    parts.map((part, index) => part.replace(/^<\w+/, (tag) => `${tag} class="part" id="part-${index}"`)).join(''),
    `.part { position: absolute; top: 0; width: 40px; height: 40px; margin: 0; border: 0; padding: 0 }
    ${parts.map((_, index) => `#part-${index} { left: ${index * 40}px }`).join(' ')}`,
  )

/** Colours of the parts in frame 5 at two real times, and in frame 30; and the warnings. */
const look = async (
  lane: 'raster' | 'begin-frame' | 'screenshot',
  parts: readonly string[],
  privateHosts: readonly string[] = [],
) => {
  const { session, warnings } = await openSession({ 'index.html': side(parts), ...FILES }, { lane, privateHosts })
  const colours = async (index: number) => {
    const [frame] = await take(session, index, 1, ...formatsOf(lane))
    if (!frame) throw new Error('no frame')
    const pixels = await pixelsOf(frame)
    return parts.map((_, part) => pixelAt(pixels, part * 40 + 20, 20))
  }
  const first = await colours(5)
  // The real clock goes on.
  await wait(400)
  const again = await colours(5)
  return { first, again, later: await colours(30), warnings }
}

const RED = [255, 0, 0, 255]
const HALF = [expect.closeTo(128, -1), 0, expect.closeTo(128, -1), 255]

const IMAGES = [
  '<svg><image href="smil.svg" width="40" height="40"/></svg>',
  '<svg><image xlink:href="css.svg" width="40" height="40"/></svg>',
  '<svg><pattern id="p" width="40" height="40" patternUnits="userSpaceOnUse"><image href="smil.svg" width="40" height="40"/></pattern><rect width="40" height="40" fill="url(#p)"/></svg>',
  '<input type="image" src="smil.svg">',
]

/** Serves the drawings from another site, which does not allow scripts to read them. */
const openSite = async () => {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'image/svg+xml').end(url.includes('css') ? CSS : SMIL)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

it.each(['raster', 'begin-frame', 'screenshot'] as const)(
  'no real clock, in lane %s, moves drawings in an SVG <image> and in an image button, or of another site, which follow the time of the frame',
  async (lane) => {
    const host = await openSite()
    const parts = [
      ...IMAGES,
      `<img src="http://${host}/smil.svg">`,
      `<img src="http://${host}/css.svg?v=2">`,
      `<svg><image href="http://${host}/other.svg" width="40" height="40"/></svg>`,
    ]
    const { first, again, later, warnings } = await look(lane, parts, [host])
    expect(again).toEqual(first)
    expect(later).toEqual(parts.map(() => HALF))
    expect(warnings).toEqual([])
  },
)

describe('no real clock', () => {
  it('moves the picture in front of a video, which is held and named', async () => {
    const { first, again, later, warnings } = await look('screenshot', ['<video poster="smil.svg"></video>'])
    expect([first, again, later]).toEqual([[RED], [RED], [RED]])
    expect(warnings).toEqual([expect.objectContaining({ code: 'VID_IMAGE_STILL' })])
    expect(warnings[0]?.message).toContain('smil.svg')
  })

  it('moves drawings that are documents, which follow the time of the frame', async () => {
    const parts = ['<object data="smil.svg"></object>', '<embed src="smil.svg">', '<iframe src="css.svg"></iframe>']
    const { first, again, later, warnings } = await look('screenshot', parts)
    expect(again).toEqual(first)
    expect(later).toEqual(parts.map(() => HALF))
    expect(warnings).toEqual([])
  })

  it.each([
    ['SMIL without scripts', `<iframe sandbox ${srcdoc(SMIL)}></iframe>`],
    ['CSS without scripts', `<iframe sandbox ${srcdoc(CSS)}></iframe>`],
    ['SMIL with scripts', `<iframe sandbox="allow-scripts" ${srcdoc(SMIL)}></iframe>`],
    ['a drawing without scripts', '<iframe sandbox src="smil.svg"></iframe>'],
    ['a data address', `<iframe src="data:text/html,${encodeURIComponent(CSS)}"></iframe>`],
  ])('moves a frame that the page cannot reach, which is named: %s', async (_, part) => {
    const { first, again, later, warnings } = await look('screenshot', [part])
    expect([again, later]).toEqual([first, first])
    expect(warnings).toContainEqual(
      expect.objectContaining({
        code: 'VID_ANIMATION_STILL',
        message: expect.stringContaining('a frame of another origin'),
      }),
    )
  })

  it('is hidden: an image that moves by it in such a frame is named, and a frame that stands still is not', async () => {
    const image = `data:image/svg+xml;base64,${Buffer.from(SMIL).toString('base64')}`
    const moving = await look('screenshot', [`<iframe sandbox ${srcdoc(`<img src="${image}">`)}></iframe>`])
    expect(moving.warnings.map(({ code }) => code)).toContain('VID_PAGE_DIFFERS')
    const still = await look('screenshot', [
      `<iframe sandbox ${srcdoc('<b>text</b>')}></iframe>`,
      `<iframe sandbox="allow-same-origin" ${srcdoc(SMIL)}></iframe>`,
    ])
    expect(still.warnings).toEqual([])
  })
})
