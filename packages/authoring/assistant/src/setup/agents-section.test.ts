import { expect, test } from 'vitest'
import { withSection } from './agents-section.ts'

const changed = (text: string, skills = '.agents/skills'): string => {
  const change = withSection(text, skills)
  if (change.kind !== 'change') throw new Error(change.reason)
  return change.text
}

test.each([
  ['no instructions', ''],
  ['instructions', '# Ours\n\nBe brief.\n'],
  ['line ends of Windows', '# Ours\r\n\r\nBe brief.\r\n'],
])('%s get the section once, behind what a person wrote', (_, before) => {
  const after = changed(before)
  expect(after.startsWith(before)).toBe(true)
  expect(after).toContain('.agents/skills/vid/SKILL.md')
  expect(changed(after)).toBe(after)
})

test('a section that nobody has changed becomes that of this version, in its place', () => {
  const before = `${changed('# Ours\n')}\n## Last\n`
  const after = changed(before, '.claude/skills')
  expect(after).toContain('.claude/skills/vid/SKILL.md')
  expect(after).not.toContain('.agents/')
  expect(after.endsWith('\n## Last\n')).toBe(true)
})

test.each([
  ['changed', (text: string) => text.replace('Use the tools', 'Never use the tools')],
  ['left open', (text: string) => text.replace('<!-- end of vid -->', '')],
])('a section that a person has %s is kept', (_, edit) => {
  expect(withSection(edit(changed('')), '.agents/skills')).toMatchObject({ kind: 'keep' })
})
