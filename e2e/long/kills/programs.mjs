// ffmpeg and ffprobe that stop themselves at one stage, so that a kill at that stage does not depend on speed.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Words in the arguments of a program, by stage; `not` excludes others that have them too. */
const STAGES = {
  encode: { program: 'ffmpeg', has: '-i pipe:0 ', not: '*concat*' },
  join: { program: 'ffmpeg', has: '-f concat ' },
  'join mov': { program: 'ffmpeg', has: '-c copy ' },
  mix: { program: 'ffmpeg', has: '-f f32le ' },
  probe: { program: 'ffprobe', has: '/tone.wav' },
  verify: { program: 'ffprobe', has: '-count_packets ' },
  'verify picture': { program: 'ffmpeg', has: '-skip_frame nokey ' },
}

/** Whether a stage is seen by what a program is started for. */
export const isProgramStage = (stage) => stage in STAGES

const script = (real, mark, { has, not = '' }) => `#!/bin/sh
case "$*" in
${not === '' ? '' : `${not}) ;;`}
*"${has}"*)
  if mkdir '${mark}' 2>/dev/null; then
    echo $$ > '${mark}/pid.new' && mv '${mark}/pid.new' '${mark}/pid'
    kill -STOP $$
  fi;;
esac
exec '${real}' "$@"
`

/** Writes both programs into a folder; the first that is started for the stage waits, and its number is in \`mark\`. */
export const writePrograms = (folder, stage, tools) => {
  mkdirSync(folder, { recursive: true })
  const mark = join(folder, 'stopped')
  for (const name of ['ffmpeg', 'ffprobe']) {
    const facts = STAGES[stage]
    const isIts = facts?.program === name
    const text = isIts ? script(tools[name], mark, facts) : `#!/bin/sh\nexec '${tools[name]}' "$@"\n`
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
  return {
    mark: join(mark, 'pid'),
    env: { VID_FFMPEG_PATH: join(folder, 'ffmpeg'), VID_FFPROBE_PATH: join(folder, 'ffprobe') },
  }
}
