// Puts a program in the place of ffmpeg that starts the real one and notes what each encoder has cost. What a script answers about
// itself is not remembered: a render then starts a quarter of a second later.
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFfmpeg } from '@vid/ffmpeg'

/** What a shell says with `times`: user and system time, as `1m2.345s`. */
const readTimes = (line) =>
  [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, min, sec]) => sum + (min * 60 + Number(sec)) * 1000, 0)

/** An environment in which encoders are watched, made in a folder; `cpuMs` is what those that have ended cost together. */
export const watchEncoders = async (within, signal) => {
  const { ffmpeg, ffprobe } = await findFfmpeg({ signal })
  const folder = mkdtempSync(join(within, 'encoders-'))
  const log = join(folder, 'log')
  const program = join(folder, 'ffmpeg')
  // Two lines: what the shell itself has used, then its child.
  const script = `#!/bin/bash
"${ffmpeg}" "$@"
code=$?
[[ "$*" == *libx264* ]] && times >>"${log}"
exit $code
`
  writeFileSync(program, script)
  chmodSync(program, 0o755)
  return {
    env: { ...process.env, VID_FFMPEG_PATH: program, VID_FFPROBE_PATH: ffprobe },
    cpuMs: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .reduce((sum, line) => sum + readTimes(line), 0)
        : 0,
  }
}
