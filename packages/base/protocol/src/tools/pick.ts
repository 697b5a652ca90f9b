type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** The values that are set, without those that are undefined. */
export const defined = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>

/** The values of these names that are set. */
export const pick = <T extends object, K extends keyof T>(values: T, names: readonly K[]) =>
  defined(Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<T, K>)
