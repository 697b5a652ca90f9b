import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { mixAudio, SAMPLE_RATE } from '@vid/ffmpeg'
import { createPreview } from '@vid/preview'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'
import { openPlayer, startBrowser } from '../support/player-site.ts'
import { onset, readSound, writeTone } from '../support/sound.ts'
import { here, scratch } from '../support/vid.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** Keeps what a page plays, as the device gets it. */
const RECORDER = () => {
  const samples: number[] = []
  const recorded = { samples, begin: 0, context: undefined as AudioContext | undefined }
  Object.assign(globalThis, { recorded })
  const keeper = `registerProcessor('keeper', class extends AudioWorkletProcessor {
    process([[samples]]) { if (samples) this.port.postMessage({ frame: currentFrame, samples: samples.slice() }); return true }
  })`
  const { prototype } = AudioNode as unknown as {
    prototype: { connect(this: AudioNode, target: AudioNode, ...rest: unknown[]): unknown }
  }
  const { connect } = prototype
  prototype.connect = function (target, ...rest) {
    if (target instanceof AudioDestinationNode) {
      const { audioWorklet } = this.context as AudioContext
      const url = URL.createObjectURL(new Blob([keeper], { type: 'text/javascript' }))
      void audioWorklet.addModule(url).then(() => {
        const node = new AudioWorkletNode(this.context, 'keeper', { numberOfOutputs: 0 })
        recorded.context = this.context as AudioContext
        node.port.onmessage = ({ data }: MessageEvent<{ frame: number; samples: Float32Array }>) => {
          if (samples.length === 0) recorded.begin = data.frame / this.context.sampleRate
          samples.push(...data.samples)
        }
        connect.call(this, node)
      })
    }
    return connect.call(this, target, ...rest)
  }
}

/** What was played from the start to the end of a composition. */
interface Recording {
  readonly heard: Float32Array
  /** Time of the device at the first sample, in seconds. */
  readonly begin: number
  /** Frames that were shown, each with the time of the device. */
  readonly shown: readonly (readonly [frame: number, seconds: number])[]
}

/** Plays a player to its end, after its sources have been decoded. */
const record = async (page: Page): Promise<Recording> => {
  const { samples, ...rest } = await page.evaluate(async () => {
    const player = document.querySelector('vid-player')
    if (!player) throw new Error('there is no player')
    const { recorded } = globalThis as unknown as {
      recorded: { samples: number[]; begin: number; context: AudioContext }
    }
    const until = (isTrue: () => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => (isTrue() ? resolve() : requestAnimationFrame(check))
        check()
      })
    const isSilent = () => recorded.samples.slice(-4096).every((value) => value === 0)
    await player.play()
    await until(() => !isSilent())
    player.pause()
    await player.seekFrame(0)
    recorded.samples.length = 0
    await until(() => recorded.samples.length > 8192 && isSilent())
    recorded.samples.length = 0
    const shown: [number, number][] = []
    player.addEventListener('frame', ({ detail }) => shown.push([detail.frame, recorded.context.currentTime]))
    await player.play()
    await new Promise((resolve) => player.addEventListener('ended', resolve, { once: true }))
    return { samples: recorded.samples, begin: recorded.begin, shown }
  })
  return { heard: Float32Array.from(samples), ...rest }
}

/** The tones of a project, each in its window, and what a render mixes of them. */
const makeTones = async () => {
  const project = join(await scratch(), 'tone-windows')
  await cp(here('projects/tone-windows'), project, { recursive: true })
  const file = (name: string) => join(project, `${name}.wav`)
  await writeTone(file('low'), 300, 1)
  await writeTone(file('mono'), 500, 1, 1)
  await writeTone(file('high'), 800, 1)
  await writeTone(file('short'), 1000, 0.25)
  const output = join(await scratch(), 'mix.wav')
  const track = (name: string, start: number, end: number) => {
    const whole = { file: file(name), label: name, start, end }
    return { ...whole, mediaStart: 0, rate: 1, gain: 1 }
  }
  await mixAudio({
    tracks: [
      track('low', 0.25, 0.75),
      { ...track('mono', 1, 1.5), mediaStart: 0.5 },
      { ...track('high', 1.75, 2.25), rate: 2 },
      { ...track('short', 2.5, 3.25), loop: 0.25 },
    ],
    until: 3.5,
    output,
    warn: () => undefined,
    signal: new AbortController().signal,
  })
  const [mixed] = await readSound(output)
  return { project, mixed }
}

/** A player on a site that serves files alone: the browser decodes each sound as a whole. */
const openAlone = (project: string) => openPlayer(browser, project, '', RECORDER)

/** The player of a preview, whose server decodes sounds piece by piece. */
const openPreviewed = async (project: string): Promise<Page> => {
  const preview = await createPreview({ projectDir: project, cwd: project })
  onTestFinished(() => preview.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(BROWSER_PATIENCE_MS)
  onTestFinished(() => page.close())
  // The recorder brings a module of its own.
  await page.setBypassCSP(true)
  await page.evaluateOnNewDocument(RECORDER)
  await page.goto(preview.url)
  await page.waitForFunction(() => document.querySelector('vid-player')?.readyState === 4)
  return page
}

test.each([
  ['a player alone', openAlone],
  ['a preview', openPreviewed],
])('what is heard in %s is what a render mixes: windows, offsets, speed at its pitch, loops', async (_, open) => {
  const { project, mixed } = await makeTones()
  const page = await open(project)
  const { heard, begin, shown } = await record(page)
  const shift = Math.round((onset(heard, 0.1) - onset(mixed, 0.1)) * SAMPLE_RATE)
  let most = 0
  // The first tone begins at 0.25 s.
  for (let n = 0.24 * SAMPLE_RATE; n < 3.3 * SAMPLE_RATE; n++)
    most = Math.max(most, Math.abs((mixed[n] ?? 0) - (heard[n + shift] ?? 0)))
  expect(most).toBeLessThan(0.001)
  // The time of the device at which the composition began to be heard, by its first tone, and by each picture.
  const began = begin + shift / SAMPLE_RATE
  const late = shown.map(([frame, seconds]) => seconds - frame / 30 - began).slice(1, -1)
  expect(late.length).toBeGreaterThan(5)
  // No picture comes more than a frame before its sound; how late it comes is up to the machine.
  for (const seconds of late) expect(seconds).toBeGreaterThan(-1 / 30)
  expect(Math.min(...late)).toBeLessThan(1 / 15)
})
