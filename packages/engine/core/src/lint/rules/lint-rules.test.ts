import { expect, test } from 'vitest'
import { lint } from '../fixtures/project.ts'
import { lintRules } from '../index.ts'

test.each(lintRules)(
  '$name reports its bad example, and nothing else is reported',
  async ({ name, severity, bad, good }) => {
    const findings = await lint(bad)
    expect(findings.map(({ code }) => code)).toEqual([`lint/${name}`])
    expect(findings[0]).toMatchObject({
      file: expect.stringMatching(/\.html$/),
      line: expect.any(Number),
      message: expect.stringMatching(/./),
      hint: expect.stringMatching(/./),
    })
    expect(['error', 'warning']).toContain(severity)
    expect(await lint(good)).toEqual([])
  },
)

test('each rule has a unique name, and states what, why and what to do', () => {
  const names = lintRules.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, what, why, hint } of lintRules) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
    for (const text of [what, why, hint]) expect(text).toMatch(/^[A-Z].*\.$/)
  }
})
