import { fileURLToPath } from 'node:url'
import { defineConfig } from '@vid/config'
import speaker from '@vid/speaker-command'
import transcriber from '@vid/transcriber-command'

const script = (path: string) => fileURLToPath(new URL(`../../../plugins/${path}`, import.meta.url))

// Stand-ins of whisper-cli and piper; SPEECH_FAIL chooses a way to fail.
const { SPEECH_FAIL, SPEECH_PIDS = '/dev/null' } = process.env
const failure = SPEECH_FAIL === undefined ? [] : ['--fail', SPEECH_FAIL, '--pids', SPEECH_PIDS]
const whisper = ['-f', '{input}', '-l', '{language}', '-ojf', '-of', '{output}', ...failure]

export default defineConfig({
  transcriber: transcriber({
    command: [process.execPath, script('transcriber-command/src/fixtures/whisper-cli.mjs'), ...whisper],
  }),
  speaker: speaker({
    command: [process.execPath, script('speaker-command/src/fixtures/piper.mjs'), '-o', '{output}'],
  }),
})
