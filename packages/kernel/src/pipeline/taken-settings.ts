import { type RenderRequest, requestSettings, type SettingName } from '@vid/protocol'
import type { TakenSettings } from '../contracts/targets.ts'

/** Settings of this machine: where the composition and the result are, and how many browsers capture here. */
const LOCAL: ReadonlySet<string> = new Set(['projectDir', 'output', 'force', 'workers'])

/** Whether a value is that of a request in which it was not set. */
const isDefault = (name: SettingName, value: unknown): boolean => {
  const { default: usual } = requestSettings[name].schema as { readonly default?: unknown }
  return value === undefined || JSON.stringify(value) === JSON.stringify(usual)
}

const refusalOf = (name: SettingName, value: unknown, values: readonly unknown[] | undefined): string => {
  if (name === 'outputs') return 'several outputs are not supported'
  if (name === 'format' && values) return `the format ${value} is not supported; it makes ${values.join(', ')}`
  return `${values && typeof value === 'string' ? `${name} ${value}` : name} is not supported`
}

/** The settings of a request that another side does not take, in words. */
export const foreignSettings = (request: RenderRequest, takes: TakenSettings): readonly string[] =>
  (Object.keys(requestSettings) as SettingName[]).flatMap((name) => {
    const value = request[name]
    const taken = takes[name]
    if (LOCAL.has(name) || taken === true || (taken ? taken.includes(value) : isDefault(name, value))) return []
    return [refusalOf(name, value, taken)]
  })
