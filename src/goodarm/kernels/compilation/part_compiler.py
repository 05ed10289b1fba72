"""Kernels inside other kernels: lowered once, optimised and made into machine code with the whole.

Numba would optimise each of them, and make machine code of it, and then do both again for every
kernel that it is linked into: a third of what a first use takes. A part is only ever linked, so its
own module stays as it was lowered, and nothing becomes machine code but its *environment*, a place
that numba fills for every function. What comes out is the same code: whoever has the part linked in
optimises it with everything else.

What is used here of numba's own (a library's two modules, and the two steps that end it) is the
same from 0.61, the lowest that is allowed, to 0.68.
"""

from typing import Any, Final

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.untyped_passes import TranslateByteCode

_ENVIRONMENT: Final = "_ZN08NumbaEnv"
"""How the names of environments begin."""


class _Part(JITCodeLibrary):
    """The code of one part; in the cache of compiled kernels it is a library like any other."""

    def _optimize_final_module(self) -> None:
        """That is left to the whole."""

    def _finalize_final_module(self) -> None:
        """Keep the module for linking, and end with a small one in its place."""
        whole: Any = self._final_module
        self._finalized = True  # or linking would ask for this very step
        self._get_module_for_linking()
        places = [str(each) for each in whole.global_variables if _is_environment(each.name)]
        head = str(self._codegen._create_empty_module(self.name))
        self._final_module = binding.parse_assembly("\n".join([head, *places]))
        self._final_module.name = whole.name
        super()._finalize_final_module()


def _is_environment(name: str) -> bool:
    return name.startswith(_ENVIRONMENT)


@register_pass(mutates_CFG=False, analysis_only=True)
class _MakePart(AnalysisPass):
    """Give numba the library that the code goes into; without one it would make its own."""

    _name = "goodarm_make_part"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Nothing in the function itself is changed."""
        state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


class PartCompiler(CompilerBase):
    """Numba's usual passes, for a part."""

    def define_pipelines(self) -> list[Any]:
        """The same as always, and one more."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_MakePart, TranslateByteCode)
        passes.finalize()
        return [passes]
