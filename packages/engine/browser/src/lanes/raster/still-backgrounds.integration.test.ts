import { createPool } from '@vid/kernel'
import { afterAll, describe, expect, test } from 'vitest'
import { isWhole } from '../../../../../../scripts/dev/part-of.ts'
import { psnrOf } from '../../fixtures/pictures.ts'
import { changePort, height, openSession, pageOf, take, width } from '../../fixtures/session.ts'

/** Enough for a picture to be made, and shown for a while. */
const FRAMES = 50
/** A frame in which something changes after that. */
const LATER = 25

const GRADIENT = 'radial-gradient(circle at 30% 20%, #fc0, #a3c 55%, #013)'
/** `npm run lab -- still-backgrounds` takes every case; `npm test` takes one in seven of each kind. */
const sampleOf = <Case>(cases: readonly Case[]) => cases.filter((_, index) => isWhole || index % 7 === 0)

const position = `position:absolute;left:0;top:0;width:${width}px;height:${height}px`

interface TakeOptions {
  readonly frames?: number
  readonly alpha?: boolean
  readonly scale?: number
  readonly raster?: 'native'
}

/** A page in which a box moves over `content`, and `script` runs at every frame; it knows \`frame\`. */
const movingPage = (content: string, style = '', script = '') =>
  pageOf(
    `${content}<b id="mover" style="position:absolute;left:0;top:0;width:60px;height:40px;background:#fffa;border-radius:9px"></b>
     <script>addEventListener('vid-seek', ({ detail }) => {
       const frame = Math.round(detail.time * 30)
       mover.style.transform = 'translate(' + frame * 3.3 + 'px,' + frame * 1.7 + 'px) rotate(' + frame * 7 + 'deg)'
       ${script}
     })</script>`,
    style,
  )

/** How many pictures stood for backgrounds after each frame of the page that is taken now. */
let counts: number[] = []

const driver = changePort(({ send, on }) => ({
  on,
  send: async (method, params) => {
    const answer = await send(method, params)
    const text = JSON.stringify(answer) ?? ''
    if (text.includes('"repeats"')) counts.push(Number(/"stills":(\d+)/.exec(text)?.[1] ?? 0))
    return answer
  },
}))

/** The browsers of that driver. */
const shared = createPool()
afterAll(() => shared.close())

/** The frames of a page in the raster lane, and how many pictures stood for backgrounds after each. */
const takeCounted = async (page: string, { frames = FRAMES, ...options }: TakeOptions = {}) => {
  counts = []
  const stills = counts
  const { session, warnings } = await openSession(page, { ...options, lane: 'raster', driver, shared })
  return { captures: await take(session, 0, frames, 'rgba'), stills, warnings }
}

/** Takes a page in the raster lane and by screenshots; every frame must be equal. */
const expectEqual = async (page: string, options: TakeOptions = {}) => {
  const plain = await openSession(page, { ...options, lane: 'screenshot' })
  const [{ captures, stills, warnings }, screenshots] = await Promise.all([
    takeCounted(page, options),
    take(plain.session, 0, FRAMES, 'png'),
  ])
  for (const [index, frame] of captures.entries())
    expect(await psnrOf(frame, screenshots[index]), `frame ${index}`).toBe(Infinity)
  expect(warnings).toEqual([])
  return stills
}

describe('a gradient that stands still under what moves is drawn from a picture of it', () => {
  test.each(
    sampleOf<[name: string, page: string, options: TakeOptions]>([
      ['of an element', movingPage('', `#root { background: ${GRADIENT} }`), {}],
      ['of the body', movingPage('', `#root { background: none } body { background: ${GRADIENT} }`), {}],
      ['of an element inside', movingPage(`<i style="${position};background:${GRADIENT}"></i>`), {}],
      [
        'of a part of the picture',
        movingPage(`<i style="${position};left:33px;top:21px;width:201px;height:117px;background:${GRADIENT}"></i>`),
        {},
      ],
      [
        'in several layers',
        movingPage(
          `<i style="${position};background:linear-gradient(20deg,#f004,#00f4),conic-gradient(red,blue)"></i>`,
        ),
        {},
      ],
      ['in larger pictures', movingPage('', `#root { background: ${GRADIENT} }`), { scale: 2 }],
      [
        'in transparent pictures',
        movingPage(`<i style="${position};width:160px;background:${GRADIENT}"></i>`, '#root { background: none }'),
        { alpha: true },
      ],
      [
        'below a blend mode',
        movingPage('', `#root { background: ${GRADIENT} } #mover { mix-blend-mode: difference }`),
        {},
      ],
    ]),
  )('%s', async (_, page, options) => {
    const stills = await expectEqual(page, options)
    expect(stills.slice(0, 8)).toEqual(Array(8).fill(0))
    expect(stills.slice(12)).toEqual(Array(stills.length - 12).fill(1))
  })

  test('as soon as it has stopped changing', async () => {
    const stills = await expectEqual(
      movingPage('', `#root { background: ${GRADIENT} }`, "root.style.setProperty('opacity', Math.min(1, frame / 9))"),
    )
    expect([stills[16], stills[20]]).toEqual([0, 1])
  })
})

describe('what changes later is seen', () => {
  const later = (change: string) => `if (frame >= ${LATER}) { ${change} }`
  test.each(
    sampleOf([
      ['its style', later("root.style.background = 'linear-gradient(90deg, red, blue)'")],
      ['a class', later("root.className = 'other'")],
      ['a variable around it', later("document.documentElement.style.setProperty('--inner', '#0f0')")],
      [
        'a rule',
        later(
          "document.styleSheets[0].insertRule('#root { background: teal }', document.styleSheets[0].cssRules.length)",
        ),
      ],
      ['its place in it', 'root.style.backgroundPosition = (frame < 25 ? 0 : frame) + "px 0"'],
      ['its size', later("root.style.backgroundSize = '40px 40px'")],
      ['its opacity', later('root.style.opacity = 0.4 + frame / 100')],
      [
        'a clip path around it',
        later("document.body.style.display = 'block'; root.style.clipPath = 'circle(' + frame + '%)'"),
      ],
      ['round corners', later("root.style.borderRadius = '40px'")],
      ['a border', later("root.style.border = '7px solid #fff8'")],
      ['a reflection', later("root.style.webkitBoxReflect = 'below -100px'")],
      ['a filter', later("root.style.filter = 'hue-rotate(' + frame + 'deg)'")],
      ['where it is', later("root.style.transform = 'translateX(' + frame / 3 + 'px)'")],
      ['how it is turned', later("root.style.rotate = frame + 'deg'")],
      ['how large it is', later("root.style.width = 200 + frame + 'px'")],
      ['whether it is there', later("root.style.visibility = frame % 2 ? 'hidden' : 'visible'")],
      [
        'text in it',
        later("root.style.backgroundClip = 'text'; root.style.color = 'transparent'; mover.textContent = 'text'"),
      ],
      ['who inherits it', later("mover.style.background = 'inherit'")],
      [
        'who inherits it in place of its own gradient',
        later("mover.style.background = 'inherit'").concat(
          ' else mover.style.background = "linear-gradient(red, blue)"',
        ),
      ],
      ['who inherits it by a class', later("mover.className = 'heir'")],
    ]),
  )('%s', async (_, script) => {
    const style = `#root { background: radial-gradient(var(--inner, #fc0), #a3c 55%, #013) } #root.other { background: #246 } .heir { background: inherit !important }`
    const stills = await expectEqual(movingPage('', style, script))
    expect(stills[LATER - 1]).toBe(1)
  })

  test('an animation of its colours', async () => {
    const style = `@property --turn { syntax: '<angle>'; inherits: false; initial-value: 0deg }
      @keyframes turn { to { --turn: 360deg } } #root { background: linear-gradient(var(--turn), red, blue); animation: turn 1s ${LATER / 30}s linear }`
    expect((await expectEqual(movingPage('', style)))[LATER - 1]).toBe(1)
  })
})

test('scripts see the styles of the page, and no picture', async () => {
  const seen = `if (frame >= ${LATER}) {
      const { backgroundClip, borderImageSource, background } = getComputedStyle(root)
      const clip = root.computedStyleMap().get('background-clip')
      const animations = root.getAnimations().length + document.getAnimations().length
      const all = [backgroundClip, borderImageSource, clip, background.includes('border-area'), animations]
      const isSame = all.join() === 'border-box,none,border-box,false,0' && root.getAttribute('style') === inline
      mover.style.background = isSame ? '#0f0' : '#f00'
    }`
  const page = movingPage(
    '<script>var inline = root.getAttribute("style")</script>',
    `#root { background: ${GRADIENT} }`,
    seen,
  )
  const { captures, stills } = await takeCounted(page)
  expect(stills[LATER - 1]).toBe(1)
  // A script that has asked once may read the answer at any time.
  expect(stills.at(-1)).toBe(0)
  const { data } = captures.at(-1) ?? { data: new Uint8Array() }
  const x = Math.round(49 * 3.3 + 30)
  const y = Math.round(49 * 1.7 + 20)
  expect([...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)]).toEqual([0, 255, 0])
})

describe('a background is drawn as it is', () => {
  const nothing = { frames: FRAMES }
  test.each(
    sampleOf<[name: string, page: string, options: TakeOptions]>([
      [
        'when something shows through',
        movingPage(`<i style="${position};background:radial-gradient(#fc0,transparent)"></i>`),
        nothing,
      ],
      [
        'when it is small',
        movingPage(`<i style="${position};width:60px;height:60px;background:${GRADIENT}"></i>`),
        nothing,
      ],
      [
        'when round corners around it may cut it',
        movingPage(
          `<div style="${position};border-radius:20px;contain:paint"><i style="${position};background:${GRADIENT}"></i></div>`,
        ),
        nothing,
      ],
      [
        'when it is not seen',
        movingPage(`<i style="${position};visibility:hidden;background:${GRADIENT}"></i>`),
        nothing,
      ],
      [
        'when it has an image',
        movingPage(`<i style="${position};background:${GRADIENT},url(data:image/png;base64,iVBORw0KGgo=)"></i>`),
        nothing,
      ],
      [
        'when its place is broken',
        movingPage(`<i style="${position};left:.3px;width:300px;background:${GRADIENT}"></i>`),
        nothing,
      ],
      ['when few frames follow', movingPage('', `#root { background: ${GRADIENT} }`), { frames: 30 }],
      [
        'when a script has asked for its styles',
        movingPage('<script>getComputedStyle(root).color</script>', `#root { background: ${GRADIENT} }`),
        nothing,
      ],
      [
        'when the page has a policy',
        movingPage('', `#root { background: ${GRADIENT} }`).replace(
          '<style>',
          '<meta http-equiv="Content-Security-Policy" content="img-src \'self\'"><style>',
        ),
        nothing,
      ],
      ['when nothing moves', movingPage('', `#root { background: ${GRADIENT} } #mover { display: none }`), nothing],
      [
        'when it always moves',
        movingPage('', `#root { background: ${GRADIENT} }`, 'root.style.backgroundPositionX = frame + "px"'),
        nothing,
      ],
      [
        'when the processor draws it fast',
        movingPage('', '#root { background: linear-gradient(#123, #456) }'),
        { raster: 'native' },
      ],
    ]),
  )('%s', async (_, page, options) => {
    const { stills, warnings } = await takeCounted(page, options)
    expect(Math.max(...stills)).toBe(0)
    expect(warnings).toEqual([])
  })
})
