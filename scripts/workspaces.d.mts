export interface Workspace {
  readonly folder: string
  readonly manifest: {
    readonly name: string
    readonly dependencies?: Readonly<Record<string, string>>
    readonly optionalDependencies?: Readonly<Record<string, string>>
  }
}
export declare const DISTRICTS: readonly string[]
export declare const path: (name: string) => string
export declare const workspaces: () => readonly Workspace[]
