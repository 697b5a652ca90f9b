export interface KernelHooks { readonly placeholder?: never }
