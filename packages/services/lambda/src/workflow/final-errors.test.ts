import type { ErrorTable, ErrorText } from '@vid/protocol'
import { expect, test } from 'vitest'
import { path, workspaces } from '../../../../../scripts/workspaces.mjs'
import { finalErrors } from './final-errors.ts'

const packages = new Map(workspaces().map((workspace) => [workspace.manifest.name, workspace]))

const installedWith = (name: string, names = new Set<string>()): ReadonlySet<string> => {
  const manifest = packages.get(name)?.manifest
  if (!manifest || names.has(name)) return names
  names.add(name)
  for (const other of Object.keys(manifest.dependencies ?? {})) installedWith(other, names)
  return names
}

/** A fact that texts can use in any way; what may be so in some cases, such as `isDiskFull`, is not. */
const fact: unknown = new Proxy(() => fact, {
  get: (_, key) => {
    if (/^is[A-Z]/.test(String(key))) return false
    if (key === Symbol.toPrimitive || key === 'toString') return () => 'fact'
    return key === Symbol.iterator ? () => [fact].values() : fact
  },
})

test('the list is that of the tables of all packages that are installed with this one', async () => {
  const names = [...installedWith('@vid/lambda')]
  expect(names).toContain('@vid/browser')
  expect(names).toContain('@vid/protocol')
  const final = new Set<string>()
  for (const name of names) {
    const source = path(`${packages.get(name)?.folder}/src/index.ts`)
    const module = (await import(/* @vite-ignore */ source)) as Readonly<Record<string, unknown>>
    for (const [exported, value] of Object.entries(module)) {
      if (!exported.endsWith('Errors') || Array.isArray(value)) continue
      for (const [code, text] of Object.entries(value as ErrorTable)) {
        const { fault, final: isFinal } = (text as (facts: unknown) => ErrorText)(fact)
        if (isFinal ?? fault === 'caller') final.add(code)
      }
    }
  }
  expect(finalErrors).toEqual([...final].sort())
  // All packages are compiled again for it.
}, 60_000)

test('what another attempt can mend is not in the list', () => {
  for (const code of ['VID_LAMBDA_SEGMENT_CLAIMED', 'VID_LAMBDA_DEADLINE']) expect(finalErrors).not.toContain(code)
  expect(finalErrors).toContain('VID_LAMBDA_PLUGIN_FINAL')
})
