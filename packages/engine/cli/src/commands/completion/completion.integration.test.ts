import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { allCommands, firstWords } from '../../find-commands.ts'
import { makeFolder, vid } from '../../fixtures/project.ts'
import { bashScript } from './bash-script.ts'
import { completedCommand } from './completed-commands.ts'
import { fishScript } from './fish-script.ts'
import { zshScript } from './zsh-script.ts'

const values = { preset: ['standard', 'review'], target: ['farm'], format: ['mp4'] }
const commands = await allCommands({ cwd: import.meta.dirname, env: {}, unguarded: (run) => run() })
const all = commands.map((command) => completedCommand(command, values))

/** What bash offers for the last of some words, which `|` separates. */
const offered = (line: string): string[] => {
  const words = line.split('|')
  const ask = `${bashScript(all, firstWords)}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vid; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', ask, 'bash', ...words], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
}

test.each([
  ['vid|ren', ['render']],
  ['vid|lambda|sites|', ['create', 'list']],
  ['vid|render|--qua', ['--quality']],
  ['vid|render|intro|--no-c', ['--no-cache']],
  ['vid|render|--quality|', ['draft', 'standard', 'high']],
  ['vid|render|-q|h', ['high']],
  ['vid|render|--quality|=|dr', ['draft']],
  ['vid|cloud|render|--resolution|4', ['4k']],
  ['vid|render|--preset|re', ['review']],
  ['vid|inspect|--target|', ['farm']],
  ['vid|render|--format|', ['mp4']],
  ['vid|render|--output|somewh', []],
  ['vid|render|intro', []],
  ['vid|nonsense|--', []],
])('bash completes %s with %j', (line, expected) => {
  expect(offered(line)).toEqual(expected)
})

test('zsh and fish know the same commands, flags and values, with what each does', () => {
  const zsh = zshScript(all, firstWords)
  const fish = fishScript(all, firstWords)
  expect(zsh).toContain(`"render -q"|"render --quality") found=('draft' 'standard' 'high');`)
  expect(zsh).toContain("found=('16\\:9' '9\\:16' '1\\:1')")
  expect(zsh).toContain("'render:Render a composition to a video'")
  expect(fish).toContain(
    `complete -c vid -n '__vid_is \\'render\\'' -s q -l quality -x -a 'draft standard high' -d 'quality preset'`,
  )
  expect(fish).toContain(`complete -c vid -n '__vid_is \\'\\'' -a 'render' -d 'Render a composition to a video'`)
})

test('presets, targets and formats are those of the config of the current folder', async () => {
  const config = "export default { presets: [{ name: 'review' }] }"
  const folder = await makeFolder({ 'vid.config.mjs': config })
  const ownNames = await vid(folder, 'completion', 'bash')
  expect(ownNames.stdout).toMatch(/"render --preset"\) .*"review .*standard/)
  const broken = await makeFolder({ 'vid.config.mjs': 'export default {' })
  const { code, stdout, stderr } = await vid(broken, 'completion', 'bash')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/"render --preset"\) .*"standard .*alpha-mov/)
  expect(stdout).toMatch(/"render --target"\) .*docker/)
  expect(stdout).toMatch(/"render --format"\) .*mp4 .*webm/)
})

test('every command has a description and every flag says what it does', () => {
  for (const { words, about, flags } of all) {
    expect(about, words.join(' ')).not.toBe('')
    for (const flag of flags) expect(flag.about, `${words.join(' ')} ${flag.names}`).not.toBe('')
  }
})

test('a mistyped shell is answered with the nearest one', async () => {
  const { code, stdout, stderr } = await vid(await makeFolder(), 'completion', 'bsh')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/VID_SHELL_UNKNOWN.*\n.*Did you mean "bash"/)
})
