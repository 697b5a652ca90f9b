import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { commandSuite, runInFolder } from '@vid/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { setupCommand } from './setup.ts'

commandSuite(setupCommand)

const makeProject = async (files: Readonly<Record<string, string>> = {}): Promise<string> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'vid-setup-test-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

/** Every file below a folder with its text. */
const contentsOf = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const texts = files.sort().map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'utf8')] as const)
  return Object.fromEntries(await Promise.all(texts))
}

test('an empty project gets what was shown, and nothing more; a second run changes nothing', async () => {
  const folder = await makeProject()
  const first = await runInFolder(setupCommand, folder, '--no-confirm')
  const contents = await contentsOf(folder)
  const shown = first.stdout.match(/^ {2}create +(\S+)$/gm)?.map((line) => line.trim().split(/ +/)[1])
  expect(Object.keys(contents).sort()).toEqual(shown?.sort())
  expect(JSON.parse(contents['.mcp.json'] ?? '')).toEqual({
    mcpServers: { vid: { command: 'npx', args: ['vid', 'mcp'] } },
  })
  expect(contents['.claude/skills/vid/SKILL.md']).toMatch(/^---\nname: vid\n/)
  expect(contents['AGENTS.md']).toContain('`.claude/skills/vid/SKILL.md`')
  const second = await runInFolder(setupCommand, folder, '--no-confirm')
  expect(second.stderr).toContain('everything is set up already')
  expect(await contentsOf(folder)).toEqual(contents)
})

test('--dry-run and a missing answer write nothing', async () => {
  const folder = await makeProject({ '.cursor/mcp.json': '{}' })
  const before = await contentsOf(folder)
  const { code, stdout } = await runInFolder(setupCommand, folder, '--dry-run')
  expect(code).toBe(0)
  expect(stdout).toContain('--- a/.cursor/mcp.json\n+++ b/.cursor/mcp.json\n')
  const unanswered = await runInFolder(setupCommand, folder)
  expect(unanswered.code).toBe(2)
  expect(unanswered.stderr).toContain('VID_CONFIRM_MISSING')
  expect(await contentsOf(folder)).toEqual(before)
})

test('a used project keeps what a person wrote, and gets new versions of skills that nobody changed', async () => {
  const settings = '{\n  // ours\n  "servers": { "db": { "command": "db" } }\n}\n'
  const folder = await makeProject({
    '.vscode/mcp.json': settings,
    '.vscode/tasks.json': '{}',
    'AGENTS.md': '# Ours\n',
  })
  await runInFolder(setupCommand, folder, '--no-confirm')
  const contents = await contentsOf(folder)
  expect(contents['.vscode/mcp.json']).toContain('// ours\n  "servers": { "db": { "command": "db" }')
  expect(contents['.vscode/tasks.json']).toBe('{}')
  expect(contents['AGENTS.md']).toMatch(/^# Ours\n\n<!-- vid, [\s\S]+`.agents\/skills\/vid\/SKILL.md`/)
  const skill = join(folder, '.agents/skills/vid/gsap.md')
  const changed = `${contents['.agents/skills/vid/gsap.md']}\nWe call it main.\n`
  await writeFile(skill, changed)
  const { stdout } = await runInFolder(setupCommand, folder, '--no-confirm')
  expect(stdout).toContain('kept      .agents/skills/vid/gsap.md: a person has changed it')
  expect(await readFile(skill, 'utf8')).toBe(changed)
})

test.each([
  ['.cursor/mcp.json', '[]', 'it holds no JSON object'],
  ['.mcp.json', '{"mcpServers": "none"}', '"mcpServers" in it is no object'],
])('settings that cannot be changed end it before anything is written: %s', async (file, text, reason) => {
  const folder = await makeProject({ [file]: text, '.vscode/settings.json': '{}' })
  const { code, stderr } = await runInFolder(setupCommand, folder, '--no-confirm')
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`VID_SETUP_SETTINGS: "${file}" stays as it is: ${reason}`),
  ])
  expect(Object.keys(await contentsOf(folder)).sort()).toEqual([file, '.vscode/settings.json'].sort())
})

test('a link out of the project is not followed', async () => {
  const outside = await makeProject({ 'mcp.json': '{}' })
  const folder = await makeProject()
  await symlink(outside, join(folder, '.cursor'))
  const { code, stderr } = await runInFolder(setupCommand, folder, '--no-confirm')
  expect([code, stderr]).toEqual([2, expect.stringContaining('it is a link that leads out of the project')])
  expect(await contentsOf(outside)).toEqual({ 'mcp.json': '{}' })
})

test('an unknown assistant is named with the nearest one', async () => {
  const { stderr } = await runInFolder(setupCommand, await makeProject(), '--for', 'cursr')
  expect(stderr).toContain('VID_SETUP_ASSISTANT')
  expect(stderr).toContain('Did you mean "cursor"?')
})
