import { defineErrors, type ErrorTable } from '@vid/protocol'
import { programTexts } from './program-error-texts.ts'
import { serviceTexts } from './service-error-texts.ts'

/** Errors of speech programs. */
export const speechErrors = {
  VID_TRANSCRIBER_NONE: (f: { config: string }) => ({
    message: `No transcriber is configured in ${f.config}.`,
    hint: "Set one in vid.config.ts, such as transcriber: program({ command: ['whisper-cli', '-m', 'model.bin', '-f', '{input}', '-ojf', '-of', '{output}'] }) of @vid/transcriber-command.",
    fault: 'caller',
  }),
  VID_SPEAKER_NONE: (f: { config: string }) => ({
    message: `No speaker is configured in ${f.config}.`,
    hint: "Set one in vid.config.ts, such as speaker: program({ command: ['piper', '-m', 'voice.onnx', '-f', '{output}'] }) of @vid/speaker-command.",
    fault: 'caller',
  }),
  VID_SPEECH_TEXT: (f: { file: string; reason: string }) => ({
    message: `The text of "${f.file}" cannot be spoken: ${f.reason}.`,
    hint: 'Give a file of plain text, or /dev/stdin for a pipe.',
    fault: 'caller',
  }),
  VID_SPEECH_WAV: (f: { file: string }) => ({
    message: `The sound cannot be written to "${f.file}": its ending is not .wav.`,
    hint: 'Give a path that ends with .wav with -o.',
    fault: 'caller',
  }),
  VID_SPEECH_EXISTS: (f: { file: string }) => ({
    message: `"${f.file}" exists already.`,
    hint: 'Give another path with -o, or --force to replace it.',
    fault: 'caller',
  }),
  VID_SPEECH_UNWRITABLE: (f: { file: string; reason: string }) => ({
    message: `The sound cannot be written to "${f.file}": ${f.reason}.`,
    hint: 'Give a path in a folder that exists and that you may write to with -o.',
    fault: 'machine',
  }),
  VID_SPEECH_OUTPUT: (f: { by: string; reason: string }) => ({
    message: `What ${f.by} has answered cannot be used: ${f.reason}.`,
    hint: 'Let it write a format of "vid captions import" or a sound, and name the format with the option format where its content does not say it.',
    fault: 'machine',
  }),
  ...programTexts,
  ...serviceTexts,
} as const satisfies ErrorTable

export const fail = defineErrors(speechErrors)
