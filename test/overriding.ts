/** The target with other methods. A new object stands for an instance with empty memory. */
export function overriding<T extends object>(target: T, methods: Readonly<Record<string, unknown>> = {}): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Object.hasOwn(methods, name) ? methods[String(name)] : Reflect.get(object, name);
      return typeof value === "function" ? value.bind(object) : value;
    },
  });
}
