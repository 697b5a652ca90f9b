import { type RenderRequest, requestSettings, type SettingName, type TakenSetting } from '@vid/protocol'
import type { TakenSettings } from '../contracts/targets.ts'

/** Whether a setting is about this machine alone: where the composition and the result are, how many browsers capture. */
const isLocal = (name: SettingName): boolean => requestSettings[name].scope === 'place' || name === 'workers'

/** Whether another side takes a value, or it is that of a request in which it was not set. */
const isTaken = (name: SettingName, value: unknown, taken: TakenSetting | undefined): boolean => {
  if (taken === true || value === undefined) return true
  if (Array.isArray(taken)) return taken.includes(value)
  const { default: usual } = requestSettings[name].schema as { readonly default?: unknown }
  return JSON.stringify(value) === JSON.stringify(usual)
}

const refusalOf = (name: SettingName, value: unknown, taken: TakenSetting | undefined): string => {
  const why = typeof taken === 'string' ? ` (${taken})` : ''
  if (name === 'outputs') return `several outputs are not supported${why}`
  if (name === 'format' && Array.isArray(taken))
    return `the format ${value} is not supported; it makes ${taken.join(', ')}`
  return `${Array.isArray(taken) && typeof value === 'string' ? `${name} ${value}` : name} is not supported${why}`
}

/** The settings of a request that another side does not take, in words. */
export const foreignSettings = (request: RenderRequest, takes: TakenSettings): readonly string[] =>
  (Object.keys(requestSettings) as SettingName[])
    .filter((name) => !isLocal(name) && !isTaken(name, request[name], takes[name]))
    .map((name) => refusalOf(name, request[name], takes[name]))
