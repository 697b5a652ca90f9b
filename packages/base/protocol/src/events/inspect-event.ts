import { TimingSchema, WarningSchema } from '../parts/event-parts.ts'
import { RenderPlanSchema } from '../plan.ts'
import { Type } from '../schema.ts'

/** All that is known of a render before it runs. */
export const InspectSchema = Type.Object({
  type: Type.Literal('inspect'),
  /** Absolute path of the config file, or null. */
  configFile: Type.Union([Type.String(), Type.Null()]),
  /** Each value by name, and where it came from. */
  config: Type.Record(Type.String(), Type.Object({ value: Type.Unknown(), source: Type.String() })),
  plugins: Type.Array(Type.Object({ role: Type.String(), name: Type.String(), options: Type.Unknown() })),
  /** Every tap, hook after hook in the order in which they run; stage "last" runs after all others. */
  taps: Type.Array(
    Type.Object({
      hook: Type.String(),
      plugin: Type.String(),
      stage: Type.Union([Type.Number(), Type.Literal('last')]),
    }),
  ),
  /** Null when no plan was requested, or when it is made elsewhere. */
  plan: Type.Union([RenderPlanSchema, Type.Null()]),
  planHash: Type.Union([Type.String(), Type.Null()]),
  /** The target that takes the request whole, so that the plan is made elsewhere. */
  plannedBy: Type.Optional(Type.String()),
  /** How the plan came about, where it does not say so: such as why something was left out. */
  notes: Type.Optional(Type.Array(Type.String())),
  timings: Type.Array(TimingSchema),
  /** What a render would warn of so far. */
  warnings: Type.Array(WarningSchema),
})
