import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { here, scratch } from './support/vid.ts'

const command = fileURLToPath(new URL('../packages/cli/bin/vid.js', import.meta.url))

/** Renders with a folder `small` of so many kilobytes, which no other process sees; `left` is what lies in it afterwards. */
const renderBeside = async (kilobytes: number, args: readonly string[], env: NodeJS.ProcessEnv) => {
  const small = await scratch()
  const script = `mount -t tmpfs -o size=${kilobytes}k none "$SMALL" || exit 99
    "$@"; code=$?
    echo "left: $(cd "$SMALL" && find . -mindepth 1 | sort | tr '\\n' ' ')"
    exit $code`
  const vid = [process.execPath, command, 'render', here('projects/static-noise'), '-q', 'draft', '-w', '1']
  const values = Object.entries(env).map(([name, value]) => [name, value?.replaceAll('SMALL', small)])
  return new Promise<{ code: number; stderr: string; left: string }>((resolve) =>
    execFile(
      'unshare',
      [
        ...['--mount', '--map-root-user', 'sh', '-c', script, 'sh', ...vid],
        ...args.map((value) => value.replaceAll('SMALL', small)),
      ],
      { env: { ...process.env, ...Object.fromEntries(values), SMALL: small } },
      (error, stdout, stderr) =>
        resolve({
          code: Number(error?.code ?? 0),
          stderr,
          left: /left: (.*)/.exec(stdout)?.[1]?.trim() ?? 'unknown',
        }),
    ),
  )
}

/** Kilobytes that a segment has no room in, that the segments have but not the joined video too, and neither has. */
const sizes = [
  ['mp4', 100, 950, 300],
  ['mov', 300, 6200, 2000],
  ['webm', 100, 1050, 300],
  ['gif', 1000, 5900, 800],
  ['png-sequence', 1000, 7000, 2000],
] as const

const failure = (hook: string) => expect.stringMatching(new RegExp(`error VID_\\w+: .*\\n.*hook ${hook}`))

test.each(sizes)(
  '%s: a disk that fills up leaves nothing, and the step that failed is named',
  async (...row) => {
    const [format, encoding, joining, delivering] = row
    const output = join(await scratch(), 'out', 'video')
    const args = ['--format', format, '-o', output]
    for (const [hook, kilobytes] of [
      ['encode', encoding],
      ['join', joining],
    ] as const) {
      const run = await renderBeside(kilobytes, args, { TMPDIR: 'SMALL' })
      expect(run, hook).toMatchObject({ code: 1, left: '', stderr: failure(hook) })
      expect(existsSync(output)).toBe(false)
    }
    const run = await renderBeside(delivering, ['--format', format, '-o', 'SMALL/video'], {})
    expect(run).toMatchObject({ code: 1, left: '', stderr: failure('deliver') })
    expect(run.stderr).toContain('VID_OUTPUT_UNWRITABLE')
  },
)
