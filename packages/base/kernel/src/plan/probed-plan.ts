import type { RenderPlan } from '@vid/protocol'
import type { Probe } from '../contracts/roles.ts'

/** A plan with the settings of capture that a probe of its page has returned. */
export const probedPlan = (plan: RenderPlan, { settings }: Pick<Probe, 'settings'>): RenderPlan =>
  settings === undefined
    ? plan
    : { ...plan, capture: { ...plan.capture, settings: { ...plan.capture.settings, ...settings } } }
