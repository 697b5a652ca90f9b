// Mends a composition with ten mistakes by the answers of the tools alone, and prints the size of each answer:
// npm run lab -- assistant-session [--record FILE].
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { path } from '../../../../scripts/workspaces.mjs'
import { DEFECTS, VIDEO_PAGE, writeComposition } from './broken-composition.mjs'

const MAX_CHARACTERS = 60_000
const MAX_PICTURES = 12
const MAX_ROUNDS = 4
const TIMEOUT_MS = 600_000

const { values } = parseArgs({ options: { record: { type: 'string' } } })

const root = await mkdtemp(join(tmpdir(), 'vid-assistant-session-'))
const client = new Client({ name: 'session', version: '1' })
const answers = []

/** Calls a tool, and notes what it answered. */
const call = async (name, args) => {
  const startedMs = performance.now()
  const answer = await client.callTool({ name, arguments: args }, undefined, { timeout: TIMEOUT_MS })
  const text = answer.content
    .filter(({ type }) => type === 'text')
    .map((part) => part.text)
    .join('\n')
  const pictures = answer.content.filter(({ type }) => type === 'image').length
  const characters = text.length + JSON.stringify(answer.structuredContent ?? {}).length
  const seconds = (performance.now() - startedMs) / 1000
  answers.push({ name, args, text, characters, pictures, isError: answer.isError === true })
  console.log(
    `${name.padEnd(9)} ${String(characters).padStart(6)} characters ${pictures} pictures ${seconds.toFixed(1)} s${answer.isError ? `  ${text.split('\n')[0]}` : ''}`,
  )
  return { text, data: answer.structuredContent, isError: answer.isError === true }
}

/** What all pages of a check have found. */
const findings = async (rules) => {
  const all = []
  for (let more = 1; more > 0; ) {
    const { data, text, isError } = await call('check', { dir: 'demo', rule: rules, offset: all.length })
    if (isError) throw new Error(text)
    all.push(...data.findings)
    more = data.more.findings ?? 0
  }
  return all
}

const nameOf = ({ rule, where }) => `${rule} at ${where.element ?? 'the composition'}`

/** Mends what carries operations: all at once, or one after the other where they do not go together. */
const mend = async (all) => {
  const operations = all.flatMap((finding) => finding.mend ?? [])
  if (operations.length === 0) return
  const { isError } = await call('edit', { dir: 'demo', operations })
  if (!isError) return
  for (const finding of all) if (finding.mend) await call('edit', { dir: 'demo', operations: finding.mend })
}

const RULES = [...new Set(Object.values(DEFECTS))].join(',')

try {
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [path('packages/engine/cli/bin/vid.js'), 'mcp', root],
      cwd: root,
      stderr: 'inherit',
    }),
  )
  const { tools } = await client.listTools()
  console.log(`tools/list: ${tools.length} tools, ${JSON.stringify(tools).length} characters`)
  // What a person had before the session; not part of its answers.
  await writeComposition(join(root, 'demo'))
  await writeFile(join(root, 'index.html'), VIDEO_PAGE)
  const video = await client.callTool({ name: 'render', arguments: { output: 'demo/ball.mp4' } }, undefined, {
    timeout: TIMEOUT_MS,
  })
  if (video.isError) throw new Error(video.content[0].text)
  await cp(join(root, 'demo'), join(root, 'original'), { recursive: true })

  await call('timeline', { dir: 'demo' })
  await call('sheet', { dir: 'demo', frames: 6, width: 960, output: 'before.png' })
  const seeded = await findings(RULES)
  const missed = Object.entries(DEFECTS).filter(
    ([element, rule]) =>
      !seeded.some((finding) => finding.rule === rule && [element, null].includes(finding.where.element)),
  )
  let left = seeded
  for (let round = 0; round < MAX_ROUNDS && left.some((finding) => finding.mend); round += 1) {
    await mend(left)
    left = await findings(RULES)
  }
  await call('diff', { before: 'original', after: 'demo', sheet: 'changes.png', width: 960 })
  await call('sheet', { dir: 'demo', frames: 6, width: 960, output: 'after.png' })
  await call('edit_log', { dir: 'demo' })

  const characters = answers.reduce((sum, answer) => sum + answer.characters, 0)
  const pictures = answers.reduce((sum, answer) => sum + answer.pictures, 0)
  console.log(`found at first: ${seeded.map(nameOf).join(', ')}`)
  console.log(`not found: ${missed.map(([element, rule]) => `${rule} at ${element}`).join(', ') || 'none'}`)
  console.log(`left: ${left.map(nameOf).join(', ') || 'none'}`)
  console.log(`${answers.length} answers, ${characters} characters, ${pictures} pictures`)
  if (values.record !== undefined) await writeFile(values.record, JSON.stringify(answers, null, 2))
  const isGood = missed.length === 0 && left.length === 0 && characters < MAX_CHARACTERS && pictures <= MAX_PICTURES
  if (!isGood) process.exitCode = 1
} finally {
  await client.close()
  await rm(root, { recursive: true, force: true })
}
