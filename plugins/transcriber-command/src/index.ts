import { basename, join } from 'node:path'
import { captionFormats } from '@vid/captions'
import { defineTranscriber, Type } from '@vid/kernel'
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

/** Transcribes by a program of the user's, which writes any format of `vid captions import`. */
export default defineTranscriber({
  name: '@vid/transcriber-command',
  options: Type.Object({
    ...programOptions,
    /** Format of the transcript; by default, its content decides. */
    format: Type.Optional(Type.Union(captionFormats.map((format) => Type.Literal(format)))),
  }),
  build: ({ options }) => programBuild(options.command),
  async transcribe({ file, language }, { options, signal, workDir }) {
    const { command, environment, timeoutMs, format } = options
    const values = {
      input: file,
      output: join(workDir, 'transcript'),
      folder: workDir,
      language: language ?? options.language,
    }
    const words = command.map((word) => fillPlaceholders(word, values))
    const program = basename(words[0] ?? '')
    const run = { words, input: '', environment, timeoutMs, maxBytes: MAX_TRANSCRIPT_BYTES, signal }
    const printed = await runProgram(run)
    const text = (await writtenTranscript(workDir, program, signal)) ?? printed
    if (text.trim() === '') throw failSpeech('VID_SPEECH_PROGRAM_EMPTY', { program })
    return readTranscript(text, program, format)
  },
})
