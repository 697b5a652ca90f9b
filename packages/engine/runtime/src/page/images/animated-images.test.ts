import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'
import { bothWays } from '../../testing/ways.ts'

const { start } = useBrowser()

const frame = (delay: number, colour: number) => [
  0x21,
  0xf9,
  4,
  0,
  delay,
  0,
  0,
  0,
  // One pixel in the corner, as the shortest stream of codes: clear, the colour, end.
  0x2c,
  0,
  0,
  0,
  0,
  1,
  0,
  1,
  0,
  0,
  2,
  2,
  0x44 + colour * 8,
  1,
  0,
]

/** A GIF whose first pixel is red, then green, then blue, for so many hundredths of a second each. */
const gif = (delay: number, loops?: number) =>
  `data:image/gif;base64,${Buffer.from([
    ...Buffer.from('GIF89a'),
    4,
    0,
    4,
    0,
    0x91,
    0,
    0,
    255,
    0,
    0,
    0,
    255,
    0,
    0,
    0,
    255,
    0,
    0,
    0,
    ...(loops === undefined ? [] : [0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, loops, 0, 0]),
    ...[0, 1, 2].flatMap((colour) => frame(delay, colour)),
    0x3b,
  ]).toString('base64')}`

const COLOUR = `(() => { const context = document.createElement('canvas').getContext('2d')
  context.drawImage(image, 0, 0); return [...context.getImageData(0, 0, 1, 1).data].join() })()`
const RED = '255,0,0,255'
const GREEN = '0,255,0,255'
const BLUE = '0,0,255,255'

describe('an image that moves by itself', () => {
  it.each([
    ['once, and stays at its end', undefined, { 0: RED, 6: GREEN, 12: BLUE, 17: BLUE, 18: BLUE, 60: BLUE }],
    ['twice', 1, { 6: GREEN, 18: RED, 24: GREEN, 30: BLUE, 36: BLUE, 60: BLUE }],
    ['for ever', 0, { 18: RED, 36: RED, 60: GREEN, 66: BLUE }],
  ])('runs %s', async (_, loops, expected) => {
    const page = await start(composition(`<img id="image" src="${gif(20, loops)}">`))
    const frames: Record<string, unknown> = {}
    for (const frame of Object.keys(expected)) {
      await page.seek(Number(frame))
      frames[frame] = await page.read(COLOUR)
    }
    expect(frames).toEqual(expected)
    expect(page.probe).toMatchObject({ stateful: false, stills: [] })
  })

  it('shows frames without a length for a tenth of a second, as browsers do', async () => {
    const { direct } = await bothWays(start, composition(`<img id="image" src="${gif(0, 0)}">`), 3, COLOUR)
    expect(direct).toBe(GREEN)
  })

  it('is to scripts what its author wrote', async () => {
    const source = gif(20, 0)
    const { direct } = await bothWays(
      start,
      composition(`<img id="image" src="${source}">`),
      6,
      `[image.src, image.currentSrc, image.getAttribute('style'), image.complete, image.naturalWidth,
        document.getAnimations().length, image.getAnimations().length]`,
    )
    expect(direct).toEqual([source, source, null, true, 4, 0, 0])
  })

  it('shows its first frame in style sheets, while an animated drawing moves in an <img>', async () => {
    const drawing = `<svg xmlns='http://www.w3.org/2000/svg'><rect><animate attributeName='x' to='9' dur='1s'/></rect></svg>`
    const page = await start(
      composition(`<img src="data:image/svg+xml,${drawing.replaceAll('#', '%23')}"><div id="box"></div>`, {
        head: `<style>#box{background:url("${gif(20, 0)}")}</style>`,
      }),
    )
    expect(page.probe.stills).toEqual([expect.stringMatching(/^data:image\/gif/)])
    expect(await page.read('getComputedStyle(box).backgroundImage')).toMatch(/^url\("blob:/)
  })

  it('keeps the part of a moving drawing that a style refers to', async () => {
    const drawing = `<svg xmlns='http://www.w3.org/2000/svg'><clipPath id='part'><rect><animate attributeName='x' to='9' dur='1s'/></rect></clipPath></svg>`
    const page = await start(
      composition('<div id="box"></div>', {
        head: `<style>#box{clip-path:url("data:image/svg+xml,${encodeURIComponent(drawing)}#part")}</style>`,
      }),
    )
    expect(await page.read('getComputedStyle(box).clipPath')).toMatch(/^url\("blob:.*#part"\)$/)
  })

  it.each([
    ['in the middle of a run', 'dur="2s" repeatCount="indefinite"', 15, 25],
    ['at a time that has no end as a decimal number', 'dur="2s" repeatCount="indefinite"', 1, 5 / 3],
    ['at another such time', 'dur="2s" repeatCount="indefinite"', 16, 80 / 3],
    ['after many runs', 'dur="0.7s" repeatCount="indefinite"', 20_000, ((20_000 / 30) % 0.7) / 0.007],
    ['at the beginning', 'dur="2s" repeatCount="indefinite"', 0, 0],
    ['where a run begins again', 'dur="0.5s" repeatCount="indefinite"', 30, 0],
    ['before its end', 'dur="1s" begin="0.5s" fill="freeze"', 30, 50],
    ['after its end', 'dur="0.5s" fill="freeze"', 30, 100],
  ])('is drawn as a picture in which nothing moves: %s', async (_, timing, frame, place) => {
    const drawing = `<svg xmlns='http://www.w3.org/2000/svg'><rect><animate attributeName='x' from='0' to='100' ${timing.replaceAll('"', "'")}/></rect></svg>`
    const page = await start(composition(`<img id="image" src="data:image/svg+xml,${drawing}">`))
    await page.seek(frame)
    const places = await page.read<number[]>(`(async () => {
      const [, address] = /url\\("(.*)"\\)/.exec(getComputedStyle(image).content)
      const box = document.createElement('div')
      box.innerHTML = await (await fetch(address)).text()
      document.body.append(box)
      const svg = box.querySelector('svg')
      return [0, 0.001, 7200].map((seconds) => {
        svg.setCurrentTime(seconds)
        return svg.querySelector('rect').x.animVal.value
      })
    })()`)
    expect(places[0]).toBeCloseTo(place, 3)
    for (const each of places) expect(each).toBeCloseTo(places[0] ?? 0, 9)
  })
})
