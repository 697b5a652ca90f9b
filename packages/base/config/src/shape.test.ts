import {
  defineCapture,
  defineDelivery,
  defineEncoder,
  definePlugin,
  defineStore,
  defineTarget,
  type PluginOf,
} from '@vid/kernel'
import { expect, test } from 'vitest'
import { defineConfig, definePreset } from './define.ts'
import { shapeProblems } from './shape.ts'

const never = () => Promise.reject(new Error('no test runs it'))
const capture = defineCapture({ name: 'own-capture', build: never, open: never })
const encoder = defineEncoder({ name: 'own-encoder', formats: ['own'], accepts: ['png'], encode: never })
const store = defineStore({ name: 'own-store', open: never })
const target = defineTarget({ name: 'own-target', run: never })
const delivery = defineDelivery({ name: 'own-delivery', deliver: never })
const plugin = definePlugin({ name: 'own-plugin', setup() {} })

const whole = {
  capture: capture(),
  encoders: [encoder()],
  store: store(),
  targets: { farm: target() },
  target: 'farm',
  deliveries: [delivery()],
  plugins: [plugin()],
  render: { fps: 60, format: 'mp4,own', variables: { title: 'a' } },
}

test('a config with a plugin in each slot has no problem, nor has one with presets', () => {
  expect(shapeProblems(whole)).toEqual([])
  expect(shapeProblems({ presets: [{ name: 'own', ...whole }], preset: 'own', store: false })).toEqual([])
  expect(shapeProblems({})).toEqual([])
})

/** Each slot with what goes into it, for a plugin of any role. */
const slots = {
  capture: (value: unknown) => ({ capture: value }),
  encoder: (value: unknown) => ({ encoders: [value] }),
  store: (value: unknown) => ({ store: value }),
  target: (value: unknown) => ({ targets: { own: value } }),
  delivery: (value: unknown) => ({ deliveries: [value] }),
  plugin: (value: unknown) => ({ plugins: [value] }),
}
const places = {
  capture: 'capture',
  encoder: 'encoders',
  store: 'store',
  target: 'targets',
  delivery: 'deliveries',
  plugin: 'plugins',
}
const factories = { capture, encoder, store, target, delivery, plugin }
const roles = Object.keys(slots) as (keyof typeof slots)[]

const wrong = roles.flatMap((slot) => roles.filter((role) => role !== slot).map((role) => [slot, role] as const))
test.each(wrong)('in the slot of a %s, a %s is told where it belongs', (slot, role) => {
  const config = slots[slot](factories[role]())
  const problem = expect.stringMatching(`"own-${role}", which is .*: it belongs in ${places[role]}$`)
  expect(shapeProblems(config)).toEqual([problem])
  expect(shapeProblems({ presets: [{ name: 'a', ...config }] })).toEqual([problem])
})

test.each(roles)('in the slot of a %s, other mistakes are named', (slot) => {
  const problemOf = (value: unknown) => shapeProblems(slots[slot](value)).join()
  expect(problemOf(factories[slot])).toContain(`it is the function that makes own-${slot}; call it with ()`)
  expect(problemOf(Promise.resolve(factories[slot]()))).toContain('it is a promise; write await before it')
  expect(problemOf([factories[slot]()])).toContain('it is a list; write ... before it')
  expect(problemOf({ default: factories[slot] })).toContain('take its default export')
  expect(problemOf(null)).toContain('must be a plugin; got null')
  expect(problemOf(definePreset({ name: 'own', encoders: [] }))).toContain('is the preset "own": it belongs in presets')
  expect(problemOf({ name: 'bare' })).toContain('is no plugin: make it with define')
})

test.each([
  [undefined, 'it has no default export'],
  [null, 'got null'],
  [() => whole, 'it exports a function'],
  [{ default: whole }, 'its default export is wrapped twice: export the object itself'],
  [{ encoder: [] }, 'unknown key "encoder"; did you mean "encoders"? known: presets, '],
  [{ targets: [target()] }, 'targets must be an object of names, such as { local: local() }'],
  [{ targets: target() }, 'targets must be an object of names, such as { local: local() }'],
  [{ encoders: [encoder(), encoder()] }, 'encoders has two of the name "own-encoder"'],
  [{ presets: [{ name: 'a' }, { name: 'a' }] }, 'presets has two of the name "a"'],
  [{ presets: [{ encoders: [] }] }, 'presets[0] has no name'],
  [{ presets: [() => []] }, 'presets[0] must be a preset; it is the function; call it with ()'],
  [{ presets: [[{ name: 'a' }]] }, 'presets[0] must be a preset; it is a list; write ... before it'],
  [{ presets: [encoder()] }, 'presets[0] is "own-encoder", which is an encoder: it belongs in encoders'],
  [{ presets: [{ name: 'a', encoder: [] }] }, 'presets[0] has the unknown key "encoder"; did you mean'],
  [{ presets: [{ name: 'a', render: { fps: 0 } }] }, 'presets[0].render.fps'],
  [{ render: { qualty: 'high' } }, 'render.qualty is not a setting; did you mean "quality"? known: format, '],
  [{ render: null }, 'render must be an object; got null'],
  [{ preset: {} }, 'preset must be a name; got {}'],
  [{ store: true }, 'store must be a plugin; got true'],
])('a config is told its mistake (%#)', (config, problem) => {
  expect(shapeProblems(config).join('; ')).toContain(problem)
})

test('the compiler finds the same mistakes, and takes names of strangers', () => {
  // @ts-expect-error an encoder is no capture engine
  defineConfig({ capture: encoder() })
  // @ts-expect-error a target is no encoder
  defineConfig({ encoders: [target()] })
  // @ts-expect-error a factory is no plugin
  defineConfig({ encoders: [encoder] })
  // @ts-expect-error a promise is no plugin
  defineConfig({ deliveries: [Promise.resolve(delivery())] })
  // @ts-expect-error a factory is no store
  defineConfig({ store })
  // @ts-expect-error targets have names
  defineConfig({ targets: [target()] })
  // @ts-expect-error no such key
  defineConfig({ encoder: [] })
  // @ts-expect-error no such setting
  defineConfig({ render: { qualty: 'high' } })
  // @ts-expect-error no such preset
  defineConfig({ preset: 'social-squre' })
  // @ts-expect-error no such target
  defineConfig({ targets: { farm: target() }, target: 'fram' })
  // @ts-expect-error a preset has no such key
  definePreset({ name: 'own', encoder: [] })
  // @ts-expect-error a delivery is no encoder, in a preset either
  definePreset({ name: 'own', encoders: [delivery()] })

  defineConfig({ preset: 'alpha-mov', render: { format: 'png-sequence' } })
  defineConfig({ render: { format: 'own' } })
  const presets = [definePreset({ name: 'mine' })] as const
  defineConfig({ presets, preset: 'mine' })
  const strangers: readonly { readonly name: string }[] = presets
  defineConfig({ presets: strangers, preset: 'theirs' })
  const one: PluginOf<'encoder'> = encoder()
  expect(defineConfig({ encoders: [one] }).encoders).toEqual([one])
})
