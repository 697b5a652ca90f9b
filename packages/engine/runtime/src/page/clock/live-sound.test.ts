import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

const notes = '__vidHost.errors().map(({ message, isNote }) => [isNote, message])'

/** A tone and an analyser that hears it, in a context that plays or in one that computes. */
const tone = (context: string, after: string) =>
  composition(`<script>
    const context = ${context}, tone = new OscillatorNode(context, { frequency: 440 }), analyser = new AnalyserNode(context, { fftSize: 256 })
    tone.connect(analyser).connect(context.destination); tone.start()
    const read = () => {
      const bytes = new Uint8Array(128), wave = new Uint8Array(256), decibels = new Float32Array(128), floats = new Float32Array(256)
      analyser.getByteFrequencyData(bytes); analyser.getByteTimeDomainData(wave)
      analyser.getFloatFrequencyData(decibels); analyser.getFloatTimeDomainData(floats)
      window.heard = [bytes, wave, decibels, floats].map((data) => String([...new Set(data)].slice(0, 2)))
    }
    ${after}</script>`)

describe('an audio node', () => {
  it('that analyses a live context reports silence in every render, and is named', async () => {
    const page = await start(
      tone('new AudioContext()', 'requestAnimationFrame(function draw(t) { read(); requestAnimationFrame(draw) })'),
    )
    await page.seek(20)
    expect(await page.read('heard')).toEqual(['0', '128', '-Infinity', '0'])
    expect(await page.read(notes)).toEqual([[true, expect.stringMatching(/AnalyserNode.*real clock.*decodeAudioData/)]])
  })

  it('of a context that computes its sound is exact, and waited for', async () => {
    const page = await start(tone('new OfflineAudioContext(1, 4800, 48000)', 'context.startRendering().then(read)'))
    await page.seek(1)
    expect((await page.read<string[]>('heard'))[0]).not.toBe('0')
    expect(await page.read(notes)).toEqual([])
  })

  it.each([
    ['ended', 'tone.onended = () => {}'],
    ['ended', 'tone.addEventListener("ended", () => {})'],
    ['audioprocess', 'context.createScriptProcessor().onaudioprocess = () => {}'],
  ])('that reports "%s" of a live context is named: %s', async (type, script) => {
    const page = await start(tone('new AudioContext()', script))
    expect(await page.read(notes)).toEqual([[true, expect.stringMatching(new RegExp(`"${type}" by the real clock`))]])
  })
})
