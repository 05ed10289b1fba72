"""Compiler for parts: kernels that are called by other kernels, and optimised only within those.

Numba would optimise each part and generate machine code for it, and then do both again for every
kernel that it is linked into: a third of the time of a first use. A part is only ever linked, so
its own module stays as it was lowered, and only its *environment*, a variable that numba fills for
every function, becomes machine code. The resulting code is the same: the kernel that a part is
linked into optimises it with everything else.

The internals of numba used here (a library's two modules, and the two steps that finalise it) are
the same from 0.61, the lowest version allowed, to 0.68.
"""

from typing import Any, Final

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.untyped_passes import TranslateByteCode

_ENVIRONMENT: Final = "_ZN08NumbaEnv"
"""Prefix of the names of environments."""


class _PartLibrary(JITCodeLibrary):
    """Code library of one part; in the cache it is a library like any other."""

    def _optimize_final_module(self) -> None:
        """Do nothing: the kernel that the part is linked into optimises it."""

    def _finalize_final_module(self) -> None:
        """Keep the module for linking, and finalise a small one in its place."""
        whole: Any = self._final_module
        self._finalized = True  # or linking would call this method again
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
    """Pass that gives numba the library for the code; without one numba would make its own."""

    _name = "goodarm_make_part"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Set the library; return False, since the function itself is unchanged."""
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


class PartCompiler(CompilerBase):
    """Numba compiler with the usual passes, for a part."""

    def define_pipelines(self) -> list[Any]:
        """Return numba's usual passes, with one more that makes a part."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_MakePart, TranslateByteCode)
        passes.finalize()
        return [passes]
