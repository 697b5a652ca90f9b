import { join } from 'node:path'
import { eventProblems } from '@vid/protocol'
import { expect, test } from 'vitest'
import { analysisEvents } from '../events.ts'
import { compositionOf, makeProject, toneOf, useRenderer } from '../fixtures/projects.ts'
import { readCompositionBeats, readFileBeats } from './read-beats.ts'

const renderer = useRenderer()
const { signal } = new AbortController()

/** Short tones at 120 beats a minute. */
const pulse = toneOf(6, (seconds) => seconds % 0.5 < 0.03)
const steady = toneOf(6, () => true, 0.1)

const TWO_SCENES = compositionOf(
  `<audio src="assets/pulse.wav" data-start="1" data-media-start="0.25" data-duration="4"></audio>
   <audio src="steady.wav" data-start="0" data-duration="6"></audio>`,
  { seconds: 6 },
)

const expectNear = (beats: readonly number[], expected: readonly number[]) => {
  expect(beats).toHaveLength(expected.length)
  for (const [index, beat] of beats.entries()) expect(Math.abs(beat - (expected[index] ?? 0))).toBeLessThan(0.03)
}

test('the beats of a file count from its start, those of a composition in its time', async () => {
  const files = { 'index.html': TWO_SCENES, 'assets/pulse.wav': pulse, 'steady.wav': steady }
  const projectDir = await makeProject(files)
  const file = await readFileBeats(join(projectDir, 'assets/pulse.wav'), signal)
  expect(eventProblems({ type: 'beats', ...file }, analysisEvents)).toEqual([])
  expect(file.tempo).toBeCloseTo(120, 0)
  expect(file.duration).toBe(6)
  expectNear(file.beats, [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5])
  const listen = (source: string | undefined) =>
    renderer().withComposition({ projectDir }, (composition) => readCompositionBeats(composition, source), { signal })
  const { result } = await listen('pulse.wav')
  expect(result.tempo).toBeCloseTo(120, 0)
  expect(result.duration).toBe(6)
  expectNear(result.beats, [1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4.25, 4.75])
  expect((await listen('steady.wav')).result).toMatchObject({ tempo: null, beats: [] })
  await expect(listen('other.wav')).rejects.toMatchObject({
    code: 'VID_BEATS_UNHEARD',
    hint: expect.stringContaining('assets/pulse.wav, steady.wav'),
  })
})

test('a file without sound is an error', async () => {
  const projectDir = await makeProject({ 'notes.txt': 'no sound' })
  await expect(readFileBeats(join(projectDir, 'notes.txt'), signal)).rejects.toMatchObject({ code: 'VID_FFMPEG_PROBE' })
})
