import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Example, lintComposition, lintRules } from './index.ts'

const families = ['Inter', 'sans-serif']

const lint = async (
  files: Example,
  options: Parameters<typeof lintComposition>[2] = { alpha: true, families },
) => {
  const dir = await mkdtemp(join(tmpdir(), 'vid-lint-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, file)), { recursive: true })
    await writeFile(join(dir, file), text)
  }
  return lintComposition(dir, 'index.html', options)
}

test.each(lintRules)(
  '$name finds its bad example, and nothing else',
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
