import { defineCommand, type OptionTable } from '@vid/command'
import { compositionConflicts, compositionOptions, compositionSettings, withRenderer } from '../options.ts'

const options = {
  track: {
    kind: 'text',
    rule: 'the name of a file such as music.mp3',
    about: 'the sound of a composition to listen to, instead of all that is heard',
  },
  ...compositionOptions,
} as const satisfies OptionTable

/** `vid beats <source>`. */
export const beatsCommand = defineCommand({
  path: 'beats',
  summary: 'Find the beats of a sound, as JSON that a composition can read.',
  details:
    'Reads a sound or video file, or what is heard of the composition in a folder, and prints its tempo in beats a minute and the seconds of its beats. The times of a folder are those of its video.',
  arguments: [{ name: 'source', path: 'read' }],
  options,
  conflicts: compositionConflicts,
  examples: [
    ['Of a file, for a composition', 'vid beats assets/music.mp3 > assets/beats.json'],
    ['Of one sound in the folder "intro"', 'vid beats intro --track music.mp3'],
  ],
  async run(run) {
    const { stat } = await import('node:fs/promises')
    const { resolve } = await import('node:path')
    const { readFileBeats, readCompositionBeats } = await import('../beats/read-beats.ts')
    const { signal, report, cwd } = run
    const { source } = run.arguments
    const path = resolve(cwd, source)
    const isFolder = await stat(path).then(
      (entry) => entry.isDirectory(),
      () => false,
    )
    if (!isFolder) return readFileBeats(path, signal)
    return withRenderer(run, async (renderer) => {
      const listen = { signal, onWarning: report.warn, onConsole: report.console }
      const work = (composition: Parameters<typeof readCompositionBeats>[0]) =>
        readCompositionBeats(composition, run.options.track)
      return (await renderer.withComposition(compositionSettings(run, source), work, listen)).result
    })
  },
  tool: { title: 'Find the beats of a sound', effect: 'reads', lists: ['beats'] },
  text: (beats) => ({
    lines: JSON.stringify(beats),
    after: beats.tempo === null ? 'no beats' : `${beats.beats.length} beats, ${beats.tempo} a minute`,
  }),
})
