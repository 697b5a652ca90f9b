// `vid check` over folders, with one warm renderer.
import { parseArgs } from 'node:util'
import { checkFilm, checkResult, chooseRules } from '@vid/check'
import { createRenderer } from '@vid/render'

/** Opens what checks films: `check` resolves to the findings of one folder. */
export const openVid = async (signal) => {
  const renderer = await createRenderer()
  const check = async (folder, flags) => {
    const { values } = parseArgs({ args: flags, options: { safe: { type: 'string' }, loudness: { type: 'string' }, batch: { type: 'string' } } })
    const settings = values.safe === undefined ? {} : { 'text-safe-area': { area: values.safe } }
    const rules = chooseRules({ checks: [], settings, only: [], skip: [] })
    const runs = [{ name: null, variables: {} }]
    const checked = await checkFilm(renderer, { film: { projectDir: folder }, rules, runs }, { signal, onProgress: () => {} })
    return checkResult(checked).findings
  }
  return { name: 'vid check', check, close: () => renderer.close() }
}
