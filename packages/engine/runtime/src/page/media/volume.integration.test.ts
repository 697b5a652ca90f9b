import { describe, expect, it } from 'vitest'
import type { PageHost } from '../../contract/page-host.ts'
import { composition, useBrowser } from '../../testing/page.ts'

declare const __vidHost: PageHost

const { start } = useBrowser()

const sounds = (script: string, attributes = '') =>
  composition(
    `<audio id="sound" src="none.wav" data-start="0" data-duration="2" ${attributes}></audio>
    <script>const sound = document.getElementById('sound'); const tl = gsap.timeline({ paused: true });
    __timelines.main = tl; ${script}</script>`,
    { gsap: true },
  )

/** Gains of the one element at 10 fps; none if the page's scripts need what they draw, and do not draw. */
const gains = async (html: string, frames: number, { from = 0, isDrawn = false } = {}) => {
  const { page, probe } = await start(html, { fps: 10 })
  const sampled = await page.evaluate(
    (from, frames, isDrawn) => __vidHost.volumes(from, frames, isDrawn),
    from,
    frames,
    isDrawn,
  )
  return { probe, gains: (sampled ?? []).map(([gain]) => Number(gain?.toFixed(4))) }
}

describe('volume', () => {
  it('is data-volume until a script sets it, also above 1', async () => {
    const { read } = await start(
      sounds('window.before = sound.volume; sound.volume = 3; window.after = sound.volume', 'data-volume="2.5"'),
    )
    expect(await read('[before, after]')).toEqual([2.5, 3])
  })

  it('is limited to 0 … 3.98, and refuses a value that is not finite', async () => {
    const { read } = await start(sounds(''))
    expect(await read('[sound.volume, sound.volume = -1, sound.volume]')).toEqual([1, -1, 0])
    expect(await read('(sound.volume = 9, sound.volume)')).toBe(3.98)
    expect(await read('(() => { try { sound.volume = NaN } catch (e) { return e instanceof TypeError } })()')).toBe(
      true,
    )
  })

  it('follows a tween frame by frame, which starts at data-volume', async () => {
    const html = sounds(`tl.to(sound, { volume: 0, duration: 1, ease: 'none' }, 0.5)`, 'data-volume="2"')
    const { probe, gains: sampled } = await gains(html, 16)
    expect(probe).toMatchObject({ volumesMove: true, stateful: false })
    expect(sampled).toEqual([2, 2, 2, 2, 2, 2, 1.8, 1.6, 1.4, 1.2, 1, 0.8, 0.6, 0.4, 0.2, 0])
  })

  it('is 0 while a script mutes the element, also before the first frame', async () => {
    const html = sounds(
      `sound.muted = true; tl.set(sound, { muted: false }, 0.2).set(sound, { muted: true }, 0.4)`,
      'data-volume="2"',
    )
    const { probe, gains: sampled } = await gains(html, 6)
    expect(probe).toMatchObject({ volumesMove: true, media: [{ muted: false, volume: 0 }] })
    expect(sampled).toEqual([0, 0, 2, 2, 0, 0])
  })

  it('leaves out an element that its author mutes and no script names', async () => {
    const { probe } = await start(sounds('', 'muted'), { fps: 10 })
    expect(probe).toMatchObject({ media: [{ muted: true }] })
  })

  it('is the same when sampling starts in the middle', async () => {
    const html = sounds(`tl.fromTo(sound, { volume: 0 }, { volume: 1, duration: 1, ease: 'none' }, 0)`)
    const { gains: sampled } = await gains(html, 3, { from: 5 })
    expect(sampled).toEqual([0.5, 0.6, 0.7])
  })

  it.each([
    ['keyframes', `tl.to(sound, { keyframes: [{ volume: 0.5, duration: 1 }] })`],
    ['a set', `tl.set(sound, { volume: 0.5 }, 1)`],
    ['a nested timeline', `tl.add(gsap.timeline().from(sound, { volume: 0, duration: 1 }))`],
    ['a callback', `tl.call(() => { sound.volume = 0.5 }, [], 1)`],
    ['a seek listener', `addEventListener('vid-seek', ({ detail }) => { sound.volume = detail.time })`],
    ['an adapter', `__vid.registerAdapter({ name: 'fader', seek(time) { sound.volume = time } })`],
    ['a timeline of its own', `__timelines.other = { duration: 2, seek(time) { sound.volume = time } }`],
    ['a timer', `setInterval(() => { sound.volume /= 2 }, 500)`],
  ])('is known to move by %s', async (_name, script) => {
    const { probe, gains: sampled } = await gains(sounds(script), 20)
    expect(probe.volumesMove).toBe(true)
    expect(new Set(sampled).size).toBeGreaterThan(1)
  })

  const music = (attributes: string, more = '') =>
    composition(
      `<audio id="music" src="none.wav" data-start="0" data-duration="2" ${attributes}></audio>
      <audio id="voice" src="none.wav" data-start="1" data-duration="0.5" data-bus="voice"></audio>${more}`,
    )

  it('fades by attributes without any script', async () => {
    const { probe, gains: sampled } = await gains(music('data-fade-in="0.5" data-fade-out="0.2" data-volume="2"'), 20)
    expect(probe.volumesMove).toBe(false)
    expect(sampled.slice(0, 6)).toEqual([0, 0.4, 0.8, 1.2, 1.6, 2])
    expect(sampled.slice(17)).toEqual([2, 2, 1])
  })

  it('is lowered under the tracks that data-duck-under names', async () => {
    const attributes = 'data-duck-under="[data-bus=voice]" data-duck="20" data-duck-attack="0.2" data-duck-release="0"'
    const { gains: sampled } = await gains(music(attributes), 16)
    expect(sampled.map((gain) => Math.round(20 * Math.log10(gain ?? 0)) + 0)).toEqual([
      ...Array(9).fill(0),
      -10,
      ...Array(5).fill(-20),
      0,
    ])
  })

  it('is not lowered under a muted track, nor by an invalid selector', async () => {
    const muted = '<audio id="off" src="none.wav" data-start="0" data-duration="2" muted></audio>'
    for (const under of ['#off', '[[', '#music']) {
      const { gains: sampled } = await gains(music(`data-duck-under="${under}"`, muted), 2)
      expect(sampled).toEqual([1, 1])
    }
  })

  it('is set by a script in place of keyframes and fades', async () => {
    const html = sounds('sound.volume = 0.5', 'data-volume="0:0,1:1" data-fade-in="1"')
    const { gains: sampled } = await gains(html, 2)
    expect(sampled).toEqual([0.5, 0.5])
  })

  it('is constant beside a silent adapter, which is left out of a sampling', async () => {
    const adapter = (silent: boolean) =>
      `window.calls = [];
      __vid.registerAdapter({ silent: ${silent}, seek: (t) => calls.push(t), update: () => calls.push('update') })`
    const heard = await start(sounds(adapter(false)), { fps: 10 })
    expect(heard.probe.volumesMove).toBe(true)
    const silent = await start(sounds(adapter(true)), { fps: 10 })
    expect(silent.probe.volumesMove).toBe(false)
    await silent.seek(1)
    expect(await silent.read('calls')).toEqual([0.1, 'update'])
    await silent.page.evaluate(() => __vidHost.volumes(2, 1, false))
    expect(await silent.read('calls')).toEqual([0.1, 'update'])
  })

  /** A script that draws in each frame, and can say the alpha of what it has drawn. */
  const drawing = (kind: '2d' | 'webgl2', level: string, draw = '') => `
    const canvas = document.body.appendChild(document.createElement('canvas'))
    const context = canvas.getContext('${kind}', { preserveDrawingBuffer: true })
    const fill = {
      '2d'(alpha) {
        context.clearRect(0, 0, 9, 9)
        context.fillStyle = \`rgb(0 0 0 / \${alpha})\`
        context.fillRect(0, 0, 9, 9)
      },
      webgl2(alpha) {
        context.clearColor(0, 0, 0, alpha)
        context.clear(context.COLOR_BUFFER_BIT)
      },
    }
    const read = {
      '2d': () => context.getImageData(0, 0, 1, 1).data[3],
      webgl2() {
        const pixel = new Uint8Array(4)
        context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, pixel)
        return pixel[3]
      },
    }
    window.alpha = read['${kind}']
    addEventListener('vid-seek', ({ detail }) => {
      ${draw || `fill['${kind}'](detail.time)`}
      sound.volume = ${level}
    })`

  it.each(['2d', 'webgl2'] as const)('is sampled without drawing %s that no script reads', async (kind) => {
    for (const isDrawn of [false, true]) {
      const { page, read } = await start(sounds(drawing(kind, 'detail.time')), { fps: 10 })
      const sampled = await page.evaluate((isDrawn) => __vidHost.volumes(4, 2, isDrawn), isDrawn)
      expect(sampled).toEqual([[0.4], [0.5]])
      expect(Number(await read('alpha()')) > 0).toBe(isDrawn)
    }
  })

  it.each([
    ['2D pixels', drawing('2d', 'alpha() / 255')],
    ['WebGL pixels', drawing('webgl2', 'alpha() / 255')],
    [
      'an encoded picture',
      drawing('2d', `[...canvas.toDataURL()].reduce((sum, c) => (sum + c.charCodeAt()) % 1e3, 0) / 1e3`),
    ],
  ])('is sampled again, with drawing, when a script reads %s', async (_name, script) => {
    expect((await gains(sounds(script), 3, { from: 4 })).gains).toEqual([])
    const drawn = await gains(sounds(script), 3, { from: 4, isDrawn: true })
    expect(new Set(drawn.gains).size).toBe(3)
  })

  it.each([
    ['a canvas', 'canvas', []],
    ['something else', 'new ImageData(1, 1)', [0.4]],
  ])(
    'is sampled again when a worker might read a bitmap, if it is of a canvas: %s',
    async (_name, source, expected) => {
      const script = drawing('2d', `(createImageBitmap(${source}), detail.time)`)
      expect((await gains(sounds(script), 1, { from: 4 })).gains).toEqual(expected)
    },
  )

  it('is sampled with drawing where the page has frozen its canvases', async () => {
    const script = `Object.freeze(CanvasRenderingContext2D.prototype); ${drawing('2d', 'detail.time')}`
    const { page, read } = await start(sounds(script), { fps: 10 })
    expect(await page.evaluate(() => __vidHost.volumes(4, 2, false))).toEqual([[0.4], [0.5]])
    expect(await read('alpha()')).toBe(128)
  })

  it('follows a script whose drawing fails in every page', async () => {
    const counter = `let failures = 0
      const attempt = (call) => { try { call() } catch { failures += 1 } }`
    const draw = `attempt(() => context.drawImage(new OffscreenCanvas(0, 0), 0, 0)); attempt(() => context.fillRect(1))`
    const { gains: sampled } = await gains(sounds(counter + drawing('2d', 'failures / 10', draw)), 3)
    expect(sampled).toEqual([0.2, 0.4, 0.6])
  })

  it('is constant when a timeline tweens something else', async () => {
    const { probe } = await start(sounds(`tl.to('#root', { opacity: 0, duration: 2 })`))
    expect(probe.volumesMove).toBe(false)
  })
})
