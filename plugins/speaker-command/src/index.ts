import { stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { defineSpeaker, Type } from '@vid/kernel'
import {
  failSpeech,
  fillPlaceholders,
  MAX_TRANSCRIPT_BYTES,
  programBuild,
  programOptions,
  readTranscript,
  runProgram,
  writtenTranscript,
} from '@vid/speech/program'

const hasBytes = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ size }) => size > 0,
    () => false,
  )

/** Speaks by a program of the user's, which reads the text from its standard input or from a file. */
export default defineSpeaker({
  name: '@vid/speaker-command',
  options: Type.Object(programOptions),
  build: ({ options }) => programBuild(options.command),
  async speak({ text, path, language }, { options, signal, workDir }) {
    const { command, environment, timeoutMs } = options
    const input = join(workDir, 'text.txt')
    await writeFile(input, text)
    const values = { input, output: path, folder: workDir, language: language ?? options.language }
    const words = command.map((word) => fillPlaceholders(word, values))
    const program = basename(words[0] ?? '')
    await runProgram({ words, input: text, environment, timeoutMs, maxBytes: MAX_TRANSCRIPT_BYTES, signal })
    if (!(await hasBytes(path))) throw failSpeech('VID_SPEECH_PROGRAM_EMPTY', { program })
    const times = await writtenTranscript(workDir, program, signal)
    if (times === undefined) return {}
    const timed = readTranscript(times, program).cues.flatMap(({ words: list = [] }) => list)
    return timed.length === 0 ? {} : { words: timed }
  },
})
