import { failContract, type Static, type TObject, type TSchema, Type } from '@vid/protocol'
import { checkPluginOptions } from './options.ts'
import { callingFiles, noteOrigin } from './origin.ts'
import type { Plugin, PluginOf, Role, RoleDefinitions } from './plugin.ts'

/** The version of the contract between kernel and plugins. */
export const API_VERSION = 1

/** Gives an option a default, so that users may leave it out and plugins always see it. */
export const withDefault = <S extends TSchema>(schema: S, value: Static<S>): S & { default: Static<S> } =>
  Type.With(schema, { default: value }) as unknown as S & { default: Static<S> }

/** Options as a user writes them: those with a default may be left out. */
export type OptionsInput<S extends TObject> = Partial<Static<S>> & {
  [K in keyof Static<S> as K extends keyof S['properties']
    ? S['properties'][K] extends { default: unknown }
      ? never
      : undefined extends Static<S>[K]
        ? never
        : K
    : never]: Static<S>[K]
}

type NoOptions = TObject<Record<never, never>>
type Factory<R extends Role, S extends TObject> =
  Record<never, never> extends OptionsInput<S>
    ? (options?: OptionsInput<S>) => PluginOf<R>
    : (options: OptionsInput<S>) => PluginOf<R>

const definer = <R extends Role>(role: R) => {
  const define = <S extends TObject = NoOptions>(
    definition: { readonly name: string; readonly options?: S } & RoleDefinitions<Static<S>>[R],
  ): Factory<R, S> => {
    const origin = { definition, files: callingFiles(define) }
    const make = (options: OptionsInput<S> = {} as OptionsInput<S>) =>
      noteOrigin(
        {
          ...definition,
          role,
          apiVersion: API_VERSION,
          optionsSchema: definition.options ?? Type.Object({}),
          options: checkPluginOptions(definition.name, definition.options ?? Type.Object({}), options),
        },
        origin,
      )
    // The error for a factory that was not called names the plugin that it makes.
    return Object.defineProperty(make, 'name', { value: definition.name }) as unknown as Factory<R, S>
  }
  return define
}

/** Defines a capture engine, which draws frames: gives the function that makes it from its options. */
export const defineCapture = definer('capture')
/** Defines an encoder of one or more formats: gives the function that makes it from its options. */
export const defineEncoder = definer('encoder')
/** Defines a store, which keeps finished segments: gives the function that makes it from its options. */
export const defineStore = definer('store')
/** Defines a target, which decides where segments are rendered: gives the function that makes it from its options. */
export const defineTarget = definer('target')
/** Defines a delivery, which puts the result at its destination: gives the function that makes it from its options. */
export const defineDelivery = definer('delivery')
/** Defines a plugin that taps any hook: gives the function that makes it from its options. */
export const definePlugin = definer('plugin')
/** Defines a check, which finds mistakes in a composition: gives the function that makes it from its options. */
export const defineCheck = definer('check')
/** Defines a transcriber, which finds the words in a sound: gives the function that makes it from its options. */
export const defineTranscriber = definer('transcriber')
/** Defines a speaker, which speaks a text: gives the function that makes it from its options. */
export const defineSpeaker = definer('speaker')

const entryPoints: Readonly<Record<Role, readonly string[]>> = {
  capture: ['open'],
  encoder: ['encode'],
  store: ['open'],
  target: ['run', 'render'],
  delivery: ['deliver'],
  plugin: ['setup'],
  check: ['check'],
  transcriber: ['transcribe'],
  speaker: ['speak'],
}

/** Refuses plugins that were not made for this kernel, that cannot work, or that share a name. */
export const checkPlugins = (plugins: readonly Plugin[]): void => {
  const seen = new Set<string>()
  for (const candidate of plugins as readonly Partial<Plugin & Record<string, unknown>>[]) {
    const plugin = typeof candidate?.name === 'string' && candidate.name ? candidate.name : '(unnamed)'
    const refuse = (problem: string) => failContract('VID_PLUGIN_INVALID', { plugin, problem }, { plugin })
    const { role, apiVersion } = candidate ?? {}
    if (plugin === '(unnamed)') throw refuse('it has no name')
    if (apiVersion !== API_VERSION)
      throw failContract('VID_PLUGIN_API_VERSION', { plugin, wanted: API_VERSION, found: apiVersion }, { plugin })
    if (role === undefined || !(role in entryPoints)) throw refuse(`its role is "${String(role)}"`)
    const names = entryPoints[role].map((name) => `${name}()`)
    const functions = entryPoints[role].filter((name) => typeof candidate[name] === 'function')
    if (functions.length === 0) throw refuse(`it has no ${names.join(' and no ')}`)
    if (functions.length > 1) throw refuse(`it has ${names.join(' and ')}, and can be only one of the two`)
    if (role === 'encoder' && !(candidate.formats as readonly string[] | undefined)?.length)
      throw refuse('it is an encoder for no format')
    if (seen.has(plugin)) throw refuse('another plugin has the same name')
    seen.add(plugin)
  }
}
